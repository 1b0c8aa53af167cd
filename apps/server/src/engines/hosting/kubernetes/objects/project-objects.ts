import type { Instance, RegistryCredentials, ReleaseArchive } from '../../engine.ts'
import { type Kind, type KubeObject, kinds, objectOf } from '../api/resources.ts'
import type { PodProgram } from '../runtimes/pod-program.ts'
import { deploymentSpec, type PodSettings, podTemplate } from './deployment.ts'
import { digestOf } from './digest.ts'
import { type Edge, edgeObjects } from './edge-objects.ts'
import {
  annotations,
  environmentSecret,
  names,
  namespaceOf,
  projectLabels,
  releaseSecret,
} from './names.ts'
import { type NetworkRules, networkPolicy } from './network-policy.ts'
import { defaultLimits, quota, volumeSize } from './size.ts'

export type ObjectSettings = {
  /** The name of this installation of Slipway in the cluster. */
  installation: string
  pods: PodSettings
  network: NetworkRules
  storageClass: string | undefined
  /** Undefined where our gateway sends the requests. */
  edge: Edge | undefined
}

export type ProjectObjects = {
  namespace: KubeObject
  /** In the order of their application. */
  objects: KubeObject[]
  /** The name of the launch that the pods run. */
  launch: string
}

/** Adds the digest of the intended object, which saves the write of an equal one. */
const withIntent = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, [annotations.intent]: digestOf(object) },
  },
})

/** The variables of a site; those that the service sets win. */
const environmentOf = ({ environment }: Instance, { env }: PodProgram): Record<string, string> => {
  const { PORT: _port, ...variables } = environment
  return { ...variables, ...env }
}

export const base64 = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  )

/** The special address of Docker Hub in a Docker config. */
const dockerHubKey = 'https://index.docker.io/v1/'

/** The credentials in the format of `docker login`. */
function dockerConfig(registry: RegistryCredentials | null): string {
  if (!registry) return JSON.stringify({ auths: {} })
  const { host, username, password } = registry
  const auth = Buffer.from(`${username}:${password}`).toString('base64')
  const key = host === 'docker.io' ? dockerHubKey : host
  return JSON.stringify({ auths: { [key]: { username, password, auth } } })
}

/** A namespace whose pods have the restricted profile. */
export const restrictedNamespace = (
  name: string,
  ownLabels: Readonly<Record<string, string>>,
): KubeObject =>
  objectOf(kinds.Namespace, {
    name,
    // Checked by the cluster too, where it can (since Kubernetes 1.23).
    labels: { ...ownLabels, 'pod-security.kubernetes.io/enforce': 'restricted' },
  })

export const namespaceObject = (
  { installation }: Pick<ObjectSettings, 'installation'>,
  key: string,
): KubeObject =>
  restrictedNamespace(namespaceOf(installation, key), projectLabels(installation, key))

/** True if the namespace of a project has the labels that it was created with. */
export const hasNamespaceLabels = (
  installation: string,
  key: string,
  { metadata }: KubeObject,
): boolean =>
  Object.entries(namespaceObject({ installation }, key).metadata.labels ?? {}).every(
    ([name, value]) => metadata.labels?.[name] === value,
  )

export const volumeObject = (
  { installation, pods, storageClass }: ObjectSettings,
  key: string,
): KubeObject =>
  withIntent({
    ...objectOf(kinds.PersistentVolumeClaim, {
      name: names.data,
      namespace: namespaceOf(installation, key),
      labels: projectLabels(installation, key),
    }),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: volumeSize(pods.size) } },
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    },
  } as KubeObject)

export const quotaObject = (
  { installation, pods, edge }: ObjectSettings,
  key: string,
): KubeObject =>
  withIntent({
    ...objectOf(kinds.ResourceQuota, {
      name: names.quota,
      namespace: namespaceOf(installation, key),
      labels: projectLabels(installation, key),
    }),
    spec: quota(pods.size, edge !== undefined),
  } as KubeObject)

export const policyObject = ({ installation, network }: ObjectSettings, key: string): KubeObject =>
  withIntent({
    ...objectOf(kinds.NetworkPolicy, {
      name: names.policy,
      namespace: namespaceOf(installation, key),
      labels: projectLabels(installation, key),
    }),
    spec: networkPolicy(network),
  } as KubeObject)

/** The limits of a project's pods: the resources they may use, and the networks they may reach. */
export function boundaryObjects(key: string, settings: ObjectSettings): KubeObject[] {
  const { installation, pods } = settings
  const objectLabels = projectLabels(installation, key)
  const namespace = namespaceOf(installation, key)
  const named = (kind: Kind, name: string) =>
    objectOf(kind, { name, namespace, labels: objectLabels })
  return [
    quotaObject(settings, key),
    withIntent({ ...named(kinds.LimitRange, names.limits), spec: defaultLimits(pods.size) }),
    policyObject(settings, key),
  ]
}

/** The files of a release that its pods fetch. */
export type ReleaseFiles = {
  archive: ReleaseArchive
  /** The packages that were installed for it; null for one that has them or needs none. */
  packages: ReleaseArchive | null
}

/** The input of the container that fetches a release. */
export function releaseFile({ archive, packages }: ReleaseFiles): string {
  const part = ({ url, digest }: ReleaseArchive) => ({ url, digest })
  return JSON.stringify({ ...part(archive), ...(packages ? { packages: part(packages) } : {}) })
}

/**
 * All objects of an instance in its cluster: the same instance has the same objects. `isOnEdge`:
 * the edge sends it requests.
 */
export function projectObjects(
  instance: Instance,
  program: PodProgram,
  files: ReleaseFiles | null,
  replicas: 0 | 1,
  settings: ObjectSettings,
  isOnEdge = false,
): ProjectObjects {
  const { installation, pods, edge } = settings
  const { key } = instance
  const objectLabels = projectLabels(installation, key)
  const namespace = namespaceOf(installation, key)
  const named = (kind: Pick<KubeObject, 'apiVersion' | 'kind'>, name: string): KubeObject => ({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name, namespace, labels: objectLabels },
  })
  const variables = environmentOf(instance, program)
  const environment = environmentSecret(digestOf(variables))
  const { launch, template } = podTemplate(
    {
      program,
      settings: pods,
      launch: { key, restarts: instance.restarts, environment },
    },
    objectLabels,
    digestOf,
  )
  const { release, settings: siteSettings } = program
  const secretFiles: [name: string, file: string, text: string][] = []
  if (release && files)
    secretFiles.push([releaseSecret(release.artifact), 'release.json', releaseFile(files)])
  if (siteSettings !== null) secretFiles.push([names.settings, 'settings.json', siteSettings])
  const objects: KubeObject[] = [
    { ...named(kinds.Secret, environment), type: 'Opaque', data: base64(variables) },
    ...secretFiles.map(([name, file, text]) => ({
      ...named(kinds.Secret, name),
      type: 'Opaque',
      data: base64({ [file]: text }),
    })),
    ...(program.needsCredentials
      ? [
          {
            ...named(kinds.Secret, names.registry),
            type: 'kubernetes.io/dockerconfigjson',
            data: base64({ '.dockerconfigjson': dockerConfig(instance.registry) }),
          },
        ]
      : []),
    ...(program.dataPath === null ? [] : [volumeObject(settings, key)]),
    {
      ...named(kinds.Deployment, names.site),
      spec: deploymentSpec(template, key, replicas),
    },
    ...(edge && isOnEdge ? edgeObjects(instance, installation, edge) : []),
  ] as KubeObject[]
  return {
    namespace: namespaceObject(settings, key),
    objects: [...boundaryObjects(key, settings), ...objects.map(withIntent)],
    launch,
  }
}

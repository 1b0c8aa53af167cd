import type { Instance, ReleaseArchive } from '../../engine.ts'
import { type KubeObject, kinds, objectOf } from '../api/resources.ts'
import type { PodProgram } from '../runtimes/pod-program.ts'
import { deploymentSpec, type PodSettings, podTemplate } from './deployment.ts'
import { digestOf } from './digest.ts'
import { annotations, labels, names, namespaceOf, projectLabels, releaseSecret } from './names.ts'
import { type NetworkRules, networkPolicy } from './network-policy.ts'
import { defaultLimits, quota, volumeSize } from './size.ts'

export type ObjectSettings = {
  /** The name of this installation of Slipway in the cluster. */
  installation: string
  pods: PodSettings
  network: NetworkRules
  storageClass: string | undefined
}

export type ProjectObjects = {
  namespace: KubeObject
  /** In the order in which they are applied. Without the Deployment's pods, nothing runs. */
  objects: KubeObject[]
  /** Names what the pods run. */
  launch: string
}

/** The labels of namespaces whose pods are gateways. */
export const gatewayLabels = (installation: string) => ({
  [labels.installation]: installation,
  'slipway.internal/gateways': 'true',
})

/** An object with the digest of what we intend, which saves the write of an equal one. */
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

/** As a Secret has its values. */
const base64 = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  )

/** A namespace whose pods have the restricted profile. */
export const restrictedNamespace = (
  name: string,
  own: Readonly<Record<string, string>>,
): KubeObject =>
  objectOf(kinds.Namespace, {
    name,
    // Checked by the cluster too, where it can (since Kubernetes 1.23).
    labels: { ...own, 'pod-security.kubernetes.io/enforce': 'restricted' },
  })

/** The namespace of a project. */
export const namespaceObject = ({ installation }: ObjectSettings, key: string): KubeObject =>
  restrictedNamespace(namespaceOf(installation, key), projectLabels(installation, key))

/** Everything that an instance has in its cluster: the same instance gives the same objects. */
export function projectObjects(
  instance: Instance,
  program: PodProgram,
  archive: ReleaseArchive | null,
  replicas: 0 | 1,
  settings: ObjectSettings,
): ProjectObjects {
  const { installation, pods, network, storageClass } = settings
  const { key } = instance
  const own = projectLabels(installation, key)
  const namespace = namespaceOf(installation, key)
  const named = (kind: Pick<KubeObject, 'apiVersion' | 'kind'>, name: string): KubeObject => ({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name, namespace, labels: own },
  })
  const environment = environmentOf(instance, program)
  const { launch, template } = podTemplate(
    {
      program,
      settings: pods,
      launch: { key, restarts: instance.restarts, environmentDigest: digestOf(environment) },
    },
    own,
    digestOf,
  )
  const volume: KubeObject = {
    ...named(kinds.PersistentVolumeClaim, names.data),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: volumeSize(pods.size) } },
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    },
  }
  const { release, settings: siteSettings } = program
  const secretFiles: [name: string, file: string, text: string][] = []
  if (release && archive) {
    const { url, digest } = archive
    const text = JSON.stringify({ url, digest })
    secretFiles.push([releaseSecret(release.artifact), 'release.json', text])
  }
  if (siteSettings !== null) secretFiles.push([names.settings, 'settings.json', siteSettings])
  const objects: KubeObject[] = [
    { ...named(kinds.ResourceQuota, names.quota), spec: quota(pods.size) },
    { ...named(kinds.LimitRange, names.limits), spec: defaultLimits(pods.size) },
    {
      ...named(kinds.NetworkPolicy, names.policy),
      spec: networkPolicy(network, gatewayLabels(installation)),
    },
    { ...named(kinds.Secret, names.environment), type: 'Opaque', data: base64(environment) },
    ...secretFiles.map(([name, file, text]) => ({
      ...named(kinds.Secret, name),
      type: 'Opaque',
      data: base64({ [file]: text }),
    })),
    ...(program.dataPath === null ? [] : [volume]),
    {
      ...named(kinds.Deployment, names.site),
      spec: deploymentSpec(template, key, replicas),
    },
  ] as KubeObject[]
  return {
    namespace: namespaceObject(settings, key),
    objects: objects.map(withIntent),
    launch,
  }
}

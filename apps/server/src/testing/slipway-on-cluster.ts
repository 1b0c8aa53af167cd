import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { root } from '../root.ts'
import { kubectl } from './kubectl.ts'
import { until } from './until.ts'

/** The fields of a Kubernetes object that the test changes. */
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  data?: Record<string, string>
  subjects?: { namespace: string }[]
  roleRef?: { name: string }
  spec?: { template?: { spec?: { containers: { image: string; imagePullPolicy?: string }[] } } }
}

export type Installation = {
  /** Its namespace, and the prefix of its names that belong to the whole cluster. */
  name: string
  images: { slipway: string; postgresql: string }
  settings: Record<string, string>
  secrets: Record<string, Record<string, string>>
}

/** The objects of an overlay of `deploy/kubernetes`, with the images and settings of a test. */
async function manifestsOf(overlay: string, { name, images, settings }: Installation) {
  const rendered = await kubectl(['kustomize', join(root, 'deploy/kubernetes', overlay)])
  const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest)
  for (const manifest of manifests) {
    const { metadata, kind } = manifest
    if (metadata.namespace) metadata.namespace = name
    if (kind === 'Namespace') metadata.name = name
    if (kind.startsWith('ClusterRole')) metadata.name = `${name}-engine`
    if (manifest.roleRef) manifest.roleRef.name = `${name}-engine`
    for (const subject of manifest.subjects ?? []) subject.namespace = name
    if (kind === 'ConfigMap') Object.assign(manifest.data ?? {}, settings)
    for (const container of manifest.spec?.template?.spec?.containers ?? []) {
      container.image = container.image.includes('postgres') ? images.postgresql : images.slipway
      container.imagePullPolicy = 'IfNotPresent'
    }
  }
  return manifests
}

const secretOf = (namespace: string, name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  stringData,
})

/** Applies the overlay for one node, and waits until every role is ready. */
export async function installSlipway(installation: Installation) {
  const { name, secrets } = installation
  const manifests = await manifestsOf('one-node', installation)
  const apply = (items: object[]) =>
    kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const kubectlInNamespace = (...args: string[]) => kubectl([`--namespace=${name}`, ...args])
  await apply(manifests.filter(({ kind }) => kind === 'Namespace'))
  await apply([
    ...Object.entries(secrets).map(([secret, data]) => secretOf(name, secret, data)),
    ...manifests.filter(({ kind }) => kind !== 'Namespace'),
  ])
  const kubectlWithTimeout = (...args: string[]) => kubectlInNamespace(...args, '--timeout=300s')
  await kubectlWithTimeout('wait', '--for=condition=complete', 'job/slipway-migrate')
  for (const role of ['web', 'worker', 'gateway'])
    await kubectlWithTimeout('rollout', 'status', `deployment/slipway-${role}`)
  return {
    /** Lets the API server validate the objects of another overlay, of the kinds that it knows. */
    async tryOverlay(overlay: string) {
      const apiVersions = new Set((await kubectl(['api-versions'])).split('\n'))
      const items = (await manifestsOf(overlay, installation)).filter(
        // The volume exists, and its access cannot change.
        ({ apiVersion, kind }) => apiVersions.has(apiVersion) && kind !== 'PersistentVolumeClaim',
      )
      if (items.length === 0) return ''
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
      return kubectl(['apply', '--dry-run=server', '--output=name', '-f', '-'], list)
    },
    addressOf: (service: string) =>
      kubectlInNamespace('get', 'service', service, '--output=jsonpath={.spec.clusterIP}'),
    /** Replaces the pods of a role; waits until the new ones are ready and the old ones gone. */
    async restart(role: 'web' | 'worker' | 'gateway') {
      const selector = `--selector=app.kubernetes.io/component=${role}`
      const pods = async () =>
        (await kubectlInNamespace('get', 'pods', selector, '--output=name')).split('\n')
      const before = (await pods()).filter((pod) => pod !== '')
      await kubectlInNamespace('rollout', 'restart', `deployment/slipway-${role}`)
      await kubectlWithTimeout('rollout', 'status', `deployment/slipway-${role}`)
      await until(async () => !(await pods()).some((pod) => before.includes(pod)))
    },
  }
}

/** Deletes all objects of an installation and of its sites. */
export async function removeSlipway(name: string) {
  const remove = ['delete', '--ignore-not-found']
  // The worker first: it would create the namespaces of sites again.
  await kubectl([...remove, 'namespace', name])
  const sites = `--selector=slipway.internal/installation=${name}`
  await kubectl([...remove, '--wait=false', 'namespaces', sites])
  await kubectl([...remove, 'clusterrole,clusterrolebinding', `${name}-engine`])
}

import { lookup } from 'node:dns/promises'
import {
  type ClusterFinding,
  type ClusterPart,
  type ClusterResult,
  clusterParts,
} from '@slipway/contract/clusters'
import type { Log } from '../../../log.ts'
import { portOf } from '../../../network.ts'
import { ApiError } from './api/api-error.ts'
import type { Cluster } from './api/cluster.ts'
import { featuresOf } from './api/cluster-features.ts'
import { type KubeObject, kinds, objectOf, type ResourceKind } from './api/resources.ts'
import {
  type TrialOptions,
  type TrialResult,
  tryNetworkPolicy,
} from './network-trial/network-trial.ts'
import { type Edge, edgeKinds, routeKind } from './objects/edge-objects.ts'
import { ownLabels } from './objects/names.ts'
import { mayReach } from './objects/network-policy.ts'
import type { ObjectSettings } from './objects/project-objects.ts'
import type { RuntimeImages } from './runtimes/cluster-runtime.ts'

export type ClusterCheckOptions = {
  cluster: Cluster
  settings: ObjectSettings
  images: RuntimeImages
  /** KUBERNETES_USER_NAMESPACES. In `settings` it is true only if the cluster supports it. */
  wantsUserNamespaces: boolean
  /** What the operator declares about NetworkPolicy. If set, the check does not try it. */
  networkPolicy: 'enforced' | 'trusted' | undefined
  /** The addresses of a host. Rejects when they cannot be looked up. */
  addressesOf?: (host: string) => Promise<string[]>
  /** Ends the check at its next step. */
  signal: AbortSignal
  log: Log
  /** Shorter in tests. */
  trialTimes?: TrialOptions['times']
}

type Permission = { kind: ResourceKind; subresource?: string; verbs: readonly string[] }

const watched = ['list', 'watch'] as const
const written = ['create', 'patch', 'delete'] as const

/** All that the engine may do: the rules of its role in the cluster. */
export const permissions: readonly Permission[] = [
  { kind: kinds.Namespace, verbs: ['get', ...watched, ...written] },
  { kind: kinds.ResourceQuota, verbs: [...watched, ...written] },
  { kind: kinds.LimitRange, verbs: [...watched, ...written] },
  { kind: kinds.NetworkPolicy, verbs: [...watched, ...written] },
  { kind: kinds.Secret, verbs: [...watched, ...written] },
  { kind: kinds.PersistentVolumeClaim, verbs: [...watched, ...written] },
  { kind: kinds.Deployment, verbs: ['get', ...watched, ...written] },
  { kind: kinds.Pod, verbs: [...watched, ...written] },
  { kind: kinds.Pod, subresource: 'log', verbs: ['get'] },
  { kind: kinds.StorageClass, verbs: ['list'] },
]

/** Further permissions if an Ingress or Gateway of the operator serves the sites (decision 90). */
export const edgePermissions = (edge: Edge | undefined): readonly Permission[] =>
  edgeKinds(edge).map((kind) => ({ kind, verbs: [...watched, ...written] }))

const groupOf = ({ apiVersion }: ResourceKind) =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''

async function findMissing(cluster: Cluster, edge: Edge | undefined): Promise<string[]> {
  const all = [...permissions, ...edgePermissions(edge)].flatMap(({ kind, subresource, verbs }) =>
    verbs.map((verb) => ({ kind, subresource, verb })),
  )
  const missing = await Promise.all(
    all.map(async ({ kind, subresource, verb }) => {
      const review = await cluster.create(
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: {
            resourceAttributes: {
              group: groupOf(kind),
              resource: kind.plural,
              verb,
              ...(subresource === undefined ? {} : { subresource }),
            },
          },
        } as { status?: { allowed?: boolean } },
      )
      const name = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`
      return review.status?.allowed ? [] : [`${verb} ${name}`]
    }),
  )
  return missing.flat()
}

type Result = Pick<ClusterResult, 'finding' | 'detail'>
type PartResult = Omit<ClusterResult, 'cluster'>

const result = (finding: ClusterFinding, detail: string | null = null): Result => ({
  finding,
  detail,
})

async function checkPermissions(cluster: Cluster, edge: Edge | undefined): Promise<Result> {
  const missing = await findMissing(cluster, edge)
  if (missing.length === 0) return result('permissions_granted')
  return result('permissions_missing', missing.join(', '))
}

/** Server-side apply is on by default since Kubernetes 1.16. */
async function checkApply(cluster: Cluster, installation: string): Promise<Result> {
  try {
    const name = `${installation}-check`
    await cluster.tryApply(objectOf(kinds.Namespace, { name, labels: ownLabels(installation) }))
    return result('server_side_apply')
  } catch (error) {
    if (error instanceof ApiError && error.status === 415)
      return result('no_server_side_apply', error.message)
    throw error
  }
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

async function checkStorage(cluster: Cluster, configured: string | undefined): Promise<Result> {
  const items = await cluster.list(kinds.StorageClass, '')
  const storageClass = items.find(({ metadata: { name, annotations } }) =>
    configured === undefined ? annotations?.[defaultClass] === 'true' : name === configured,
  )
  if (storageClass) return result('storage_class', storageClass.metadata.name)
  if (configured === undefined) return result('no_default_storage_class')
  return result('storage_class_missing', configured)
}

const trialFindings = {
  enforced: 'network_policy_enforced',
  not_enforced: 'network_policy_not_enforced',
  unknown: 'network_policy_not_tried',
} as const satisfies Record<TrialResult['outcome'], ClusterFinding>

async function checkNetworkPolicy(options: ClusterCheckOptions): Promise<Result> {
  const { cluster, settings, networkPolicy, signal, log, trialTimes: times = {} } = options
  const { node: image } = options.images
  if (networkPolicy === 'enforced') return result('network_policy_declared')
  if (networkPolicy === 'trusted') return result('programs_trusted')
  if (image === undefined)
    return result('network_policy_not_tried', 'KUBERNETES_NODE_IMAGE is not set')
  const trial = await tryNetworkPolicy({ cluster, settings, image, signal, log, times })
  return result(trialFindings[trial.outcome], trial.detail)
}

/** The addresses of a host; none for a name that does not exist. */
const resolveHost = async (host: string): Promise<string[]> => {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return []
    throw error
  }
}

/** Sites have no account in the cluster, but must not reach its API server at all. */
async function checkApiAccess({
  cluster,
  settings: { network },
  addressesOf = resolveHost,
}: ClusterCheckOptions): Promise<Result> {
  const openAddressesOf = async (url: URL) => {
    // An IPv6 address is in brackets.
    const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''))
    return addresses.filter((address) => mayReach(network, address, portOf(url)))
  }
  const urls = await cluster.serverUrls()
  let open: string[]
  try {
    open = (await Promise.all(urls.map(openAddressesOf))).flat()
  } catch (error) {
    return result('not_checked', (error as Error).message)
  }
  if (open.length === 0) return result('api_closed')
  return result('api_open', [...new Set(open)].join(', '))
}

/** Whether the API server keeps `hostUsers: false`, which gives a pod its own user namespace. */
async function checkUserNamespaces({
  cluster,
  settings: { installation },
  wantsUserNamespaces,
}: ClusterCheckOptions): Promise<Result> {
  if (!wantsUserNamespaces) return result('user_namespaces_off')
  const version = await cluster.version()
  if (!featuresOf(version, []).knowsHostUsers) return result('no_user_namespaces', version)
  const name = `${installation}-check`
  const podLabels = ownLabels(installation)
  const deployment = objectOf(kinds.Deployment, { name, namespace: 'default', labels: podLabels })
  const tried = (await cluster.tryApply({
    ...deployment,
    spec: {
      replicas: 0,
      selector: { matchLabels: podLabels },
      template: {
        metadata: { labels: podLabels },
        spec: { hostUsers: false, containers: [{ name, image: name }] },
      },
    },
  })) as KubeObject & { spec?: { template?: { spec?: { hostUsers?: boolean } } } }
  const isKept = tried.spec?.template?.spec?.hostUsers === false
  return isKept ? result('user_namespaces') : result('user_namespaces_ignored', version)
}

async function checkEdge(cluster: Cluster, edge: Edge | undefined): Promise<Result> {
  if (!edge) return result('no_edge')
  const { apiVersion, kind, plural } = routeKind(edge)
  const exists = (await cluster.resources(apiVersion)).includes(plural)
  return result(exists ? 'edge_api' : 'edge_api_missing', `${apiVersion} ${kind}`)
}

/** An image by its tag may change between the starts of two pods. */
function checkImages({ node, php }: RuntimeImages): Result {
  const wrong = Object.entries({ KUBERNETES_NODE_IMAGE: node, KUBERNETES_PHP_IMAGE: php })
    .filter(([, image]) => !/@sha256:[0-9a-f]{64}$/.test(image ?? ''))
    .map(([name]) => name)
  if (wrong.length === 0) return result('images_by_digest')
  return result('images_not_by_digest', wrong.join(', '))
}

/**
 * Whether the cluster can run sites, part by part. Only the trial of NetworkPolicy creates objects
 * in it, and removes them. Rejects when the signal aborts.
 */
export async function checkCluster(options: ClusterCheckOptions): Promise<PartResult[]> {
  const { cluster, settings, signal } = options
  const { edge } = settings
  let isReachable = false
  const checks: Record<ClusterPart, () => Promise<Result>> = {
    api_server: async () => result('reachable', await cluster.version()),
    permissions: () => checkPermissions(cluster, edge),
    server_side_apply: () => checkApply(cluster, settings.installation),
    storage: () => checkStorage(cluster, settings.storageClass),
    network_policy: () => checkNetworkPolicy(options),
    api_access: () => checkApiAccess(options),
    user_namespaces: () => checkUserNamespaces(options),
    edge: () => checkEdge(cluster, edge),
    images: async () => checkImages(options.images),
  }

  async function check(part: ClusterPart): Promise<Result> {
    const needsCluster =
      part !== 'api_server' &&
      part !== 'images' &&
      !(part === 'edge' && !edge) &&
      !(part === 'user_namespaces' && !options.wantsUserNamespaces)
    if (needsCluster && !isReachable) return result('not_checked')
    try {
      return await checks[part]()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      return result(part === 'api_server' ? 'unreachable' : 'not_checked', error.message)
    }
  }

  const results: PartResult[] = []
  for (const part of clusterParts) {
    signal.throwIfAborted()
    const outcome = await check(part)
    if (outcome.finding === 'reachable') isReachable = true
    results.push({ part, ...outcome })
  }
  return results
}

import { createLimiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import { ApiError } from './api/api-error.ts'
import type { Cluster } from './api/cluster.ts'
import { createReflector, type Reflector } from './api/reflector.ts'
import { type KubeObject, kinds, type ResourceKind } from './api/resources.ts'
import { type AppliedRecord, readAnnotation } from './applied-record.ts'
import { type ObjectView, viewOfObject } from './object-state.ts'
import { labels, names, namespaceOf, ownLabels, selectorOf } from './objects/names.ts'
import { hasNamespaceLabels } from './objects/project-objects.ts'
import { type PodView, servingPod, viewOfPod } from './pod-state.ts'

type NamespaceView = {
  key: string
  record: AppliedRecord | null
  isEnding: boolean
  /** False if others have changed its labels, such as the one that restricts its pods. */
  hasLabels: boolean
}

export const objectKinds: readonly ResourceKind[] = [
  kinds.ResourceQuota,
  kinds.LimitRange,
  kinds.NetworkPolicy,
  kinds.Secret,
  kinds.PersistentVolumeClaim,
  kinds.Deployment,
]

/** The kinds that are listed at once: each needs the memory of a page. */
const listsAtOnce = 2

export type ClusterStateOptions = {
  cluster: Pick<Cluster, 'pages' | 'watch'>
  installation: string
  /** The kinds that a site has for the edge of the operator. */
  edgeKinds: readonly ResourceKind[]
  /** Reads the cluster's features, before its state counts as known. */
  learnFeatures: () => Promise<void>
  log: Log
  /** How often all objects are listed again, on average. */
  relistMs: number
  /** Called with the key of a project after a change. */
  onChange: (key: string, part: 'namespace' | 'object' | 'pod') => void
}

export type ClusterState = ReturnType<typeof createClusterState>

/**
 * A cluster that may lack these kinds: then it has no objects of them. A missing kind must not
 * delay the sites; the check of the cluster reports it.
 */
const withMissingKinds = (
  cluster: ClusterStateOptions['cluster'],
  optional: readonly ResourceKind[],
): ClusterStateOptions['cluster'] => ({
  watch: cluster.watch,
  async *pages(kind, labelSelector) {
    try {
      yield* cluster.pages(kind, labelSelector)
    } catch (error) {
      const isMissing = error instanceof ApiError && error.failure === 'not_found'
      if (!isMissing || !optional.includes(kind)) throw error
      yield { items: [], resourceVersion: '0' }
    }
  },
})

/**
 * The objects of this installation in a cluster, in memory, from one watch for each kind. They may
 * lag behind the cluster.
 */
export function createClusterState(options: ClusterStateOptions) {
  const { installation, log, relistMs, onChange } = options
  const cluster = withMissingKinds(options.cluster, options.edgeKinds)
  // Without a key, an object of ours belongs to no project.
  const labelSelector = `${selectorOf(ownLabels(installation))},${labels.key}`
  const common = { cluster, labelSelector, log, relistMs, lists: createLimiter(listsAtOnce) }
  /** The uids of the pods of sites that were stopped or sleep: they get no further requests. */
  const draining = new Set<string>()
  const keys = new Map<string, string>()
  let synced = false

  const namespaces = createReflector<NamespaceView>({
    ...common,
    kind: kinds.Namespace,
    toView(object) {
      const key = object.metadata.labels?.[labels.key] ?? ''
      return {
        key,
        record: readAnnotation(object),
        isEnding: object.metadata.deletionTimestamp !== undefined,
        hasLabels: hasNamespaceLabels(installation, key, object),
      }
    },
    onChange({ before, now }) {
      const { key } = now ?? before ?? { key: '' }
      if (now) keys.set(key, namespaceOf(installation, key))
      else keys.delete(key)
      onChange(key, 'namespace')
    },
  })
  const pods = createReflector<PodView>({
    ...common,
    kind: kinds.Pod,
    toView: viewOfPod,
    onChange({ before, now }) {
      if (!now && before) draining.delete(before.uid)
      onChange((now ?? before)?.key ?? '', 'pod')
    },
  })
  const objects = new Map<string, Reflector<ObjectView>>(
    [...objectKinds, ...options.edgeKinds].map((kind) => [
      kind.kind,
      createReflector<ObjectView>({
        ...common,
        kind,
        // A list has its kind once, not in each of its items.
        toView: (object) => viewOfObject({ ...object, kind: kind.kind }),
        onChange({ before, now }) {
          // Users read only that the cluster rejects the site.
          if (now?.podFailure !== undefined && before?.podFailure === undefined)
            log.warn({ key: now.key, reason: now.podFailure }, 'A site gets no pods')
          onChange((now ?? before)?.key ?? '', 'object')
        },
      }),
    ]),
  )
  const all = [namespaces, pods, ...objects.values()]
  const inNamespace = (key: string) => namespaceOf(installation, key)
  const allPodsOf = (key: string) => pods.inNamespace(inNamespace(key))
  const podsOf = (key: string) => allPodsOf(key).filter(({ install }) => install === null)

  return {
    /** Resolves once everything is listed, which may take until the API server responds. */
    async start() {
      await Promise.all([options.learnFeatures(), ...all.map((reflector) => reflector.start())])
      synced = true
    },
    isSynced: () => synced,
    keys: (): string[] => [...keys.keys()],
    namespace: (key: string): NamespaceView | undefined => namespaces.find(inNamespace(key)),
    recordOf: (namespace: KubeObject): AppliedRecord | null => readAnnotation(namespace),
    object: ({ kind, metadata: { name, namespace } }: KubeObject): ObjectView | undefined =>
      objects.get(kind)?.find(name, namespace),
    projectObjects: (key: string): ObjectView[] =>
      [...objects.values()].flatMap((reflector) => reflector.inNamespace(inNamespace(key))),
    deployment: (key: string): ObjectView | undefined =>
      objects.get(kinds.Deployment.kind)?.find(names.site, inNamespace(key)),
    hasVolume: (key: string): boolean =>
      objects.get(kinds.PersistentVolumeClaim.kind)?.find(names.data, inNamespace(key)) !==
      undefined,
    hasPullSecret: (key: string): boolean =>
      objects.get(kinds.Secret.kind)?.find(names.registry, inNamespace(key)) !== undefined,
    pods: podsOf,
    /** The pods that install packages of its releases. */
    installPods: (key: string): PodView[] =>
      allPodsOf(key).filter(({ install }) => install !== null),
    servingPod: (key: string): PodView | null =>
      servingPod(podsOf(key).filter(({ uid }) => !draining.has(uid))),
    /** Sends no further request to the pods that the site has now. */
    drainPods(key: string) {
      for (const { uid } of podsOf(key)) draining.add(uid)
    },
    /** True while one of the pods that get no further requests has not begun to end. */
    hasDrainingPods: (key: string): boolean =>
      podsOf(key).some(({ uid, isEnding }) => draining.has(uid) && !isEnding),
    /** Sends requests again to the pods of the site that were drained and have stayed. */
    undrainPods(key: string) {
      for (const { uid } of podsOf(key)) draining.delete(uid)
    },
    async close() {
      await Promise.all(all.map((reflector) => reflector.close()))
    },
  }
}

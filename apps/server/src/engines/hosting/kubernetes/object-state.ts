import type { KubeObject } from './api/resources.ts'
import { digestOf } from './objects/digest.ts'
import { annotations, labels } from './objects/names.ts'

/** The stored parts of an object: digests instead of the content, which may be secret. */
export type ObjectView = {
  key: string
  namespace: string
  kind: string
  name: string
  uid: string | undefined
  /** The digest of the intended content at its last application. */
  intent: string | undefined
  content: string
  /** The desired number of pods of a Deployment. */
  replicas: number | undefined
  launch: string | undefined
  /** Why a Deployment gets no pod, in Kubernetes' words. */
  podFailure: string | undefined
}

/** Parts that the cluster itself changes. */
const changedByCluster = new Set(['apiVersion', 'kind', 'metadata', 'status'])

type DeploymentParts = {
  spec?: { replicas?: number; template?: { metadata?: { labels?: Record<string, string> } } }
  status?: { conditions?: { type: string; status: string; message?: string }[] }
}

/** The content of an object that is compared to find changes by others. */
function contentOf(object: KubeObject): unknown {
  // A claim gets the name of its volume once it is bound. Nothing else of it can change.
  if (object.kind === 'PersistentVolumeClaim') return 'exists'
  const parts = Object.entries(object).filter(([name]) => !changedByCluster.has(name))
  if (object.kind !== 'Deployment') return parts
  // Sleep changes the number of its pods: it is compared on its own.
  const { replicas: _replicas, ...spec } = (object as DeploymentParts).spec ?? {}
  return spec
}

export const replicasOf = (object: KubeObject): number | undefined =>
  (object as DeploymentParts).spec?.replicas

export function viewOfObject(object: KubeObject): ObjectView {
  const { metadata, kind } = object
  const { spec, status } = object as DeploymentParts
  const failure = status?.conditions?.find(
    (condition) => condition.type === 'ReplicaFailure' && condition.status === 'True',
  )
  return {
    key: metadata.labels?.[labels.key] ?? '',
    namespace: metadata.namespace ?? '',
    kind,
    name: metadata.name,
    uid: metadata.uid,
    intent: metadata.annotations?.[annotations.intent],
    content: digestOf(contentOf(object)),
    replicas: replicasOf(object),
    launch: spec?.template?.metadata?.labels?.[labels.launch],
    podFailure: failure?.message,
  }
}

/** Names an object within its namespace. */
export const nameOf = ({ kind, name }: { kind: string; name: string }) => `${kind}/${name}`

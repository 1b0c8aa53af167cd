import { ApiError } from './api/api-error.ts'
import type { Cluster } from './api/cluster.ts'
import { kinds, objectOf, type ResourceKind } from './api/resources.ts'
import { ownLabels } from './objects/names.ts'
import type { ObjectSettings } from './objects/project-objects.ts'

/** What a cluster lacks to run sites. The message is one sentence for operators. */
export type ClusterProblem = {
  code: 'permission' | 'server_side_apply' | 'storage_class' | 'unreachable'
  message: string
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
  { kind: kinds.Pod, verbs: watched },
  { kind: kinds.Pod, subresource: 'log', verbs: ['get'] },
  { kind: kinds.StorageClass, verbs: ['list'] },
]

const groupOf = ({ apiVersion }: ResourceKind) =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''

async function findMissing(cluster: Cluster): Promise<string[]> {
  const all = permissions.flatMap(({ kind, subresource, verbs }) =>
    verbs.map((verb) => ({ kind, subresource, verb })),
  )
  const answers = await Promise.all(
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
  return answers.flat()
}

/** True when the API server applies objects itself, which it does since Kubernetes 1.16. */
async function appliesObjects(cluster: Cluster, installation: string): Promise<boolean> {
  try {
    const name = `${installation}-check`
    await cluster.tryApply(objectOf(kinds.Namespace, { name, labels: ownLabels(installation) }))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.failure === 'invalid') return false
    throw error
  }
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

async function hasStorageClass(cluster: Cluster, name: string | undefined): Promise<boolean> {
  const { items } = await cluster.list(kinds.StorageClass, '')
  return items.some(({ metadata }) =>
    name === undefined ? metadata.annotations?.[defaultClass] === 'true' : metadata.name === name,
  )
}

/** What the cluster lacks to run sites; nothing changes in it. */
export async function checkCluster(
  cluster: Cluster,
  { installation, storageClass }: ObjectSettings,
): Promise<ClusterProblem[]> {
  try {
    const missing = await findMissing(cluster)
    if (missing.length > 0)
      return [
        {
          code: 'permission',
          message: `Slipway's account in the cluster must be allowed to ${missing.join(', ')}`,
        },
      ]
    const problems: ClusterProblem[] = []
    if (!(await appliesObjects(cluster, installation)))
      problems.push({
        code: 'server_side_apply',
        message: 'The API server must support server-side apply: Kubernetes 1.16 or newer',
      })
    if (!(await hasStorageClass(cluster, storageClass)))
      problems.push({
        code: 'storage_class',
        message:
          storageClass === undefined
            ? 'The cluster has no default StorageClass: set KUBERNETES_STORAGE_CLASS'
            : `KUBERNETES_STORAGE_CLASS is ${storageClass}, which the cluster does not have`,
      })
    return problems
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [{ code: 'unreachable', message: `The cluster could not be checked: ${error.message}` }]
  }
}

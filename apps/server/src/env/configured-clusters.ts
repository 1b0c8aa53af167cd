import type { Env } from './env.ts'

export type ConfiguredCluster = {
  name: string
  /** Null for a cluster that has all regions. */
  regionId: string | null
  /** The maximum number of projects; null without a limit. */
  capacity: number | null
}

export type KubernetesCluster = ConfiguredCluster & {
  /** A context of KUBECONFIG; its current one by default. */
  context: string | undefined
}

/** The name of the only Kubernetes cluster if KUBERNETES_CLUSTERS is not set. */
export const defaultCluster = 'default'

/** This machine, whose sites the local engine runs. */
export const localCluster = 'local'

type Settings = Pick<
  Env,
  'ENGINE' | 'KUBERNETES_CLUSTERS' | 'KUBERNETES_CONTEXT' | 'LOCAL_CAPACITY' | 'LOCAL_REGION'
>

/** The clusters of Kubernetes: those of KUBERNETES_CLUSTERS, or the only one. */
export function kubernetesClusters(env: Settings): readonly KubernetesCluster[] {
  if (!env.ENGINE.includes('kubernetes')) return []
  if (env.KUBERNETES_CLUSTERS.length > 0) return env.KUBERNETES_CLUSTERS
  const { KUBERNETES_CONTEXT: context } = env
  return [{ name: defaultCluster, regionId: null, context, capacity: null }]
}

export function configuredClusters(env: Settings): readonly ConfiguredCluster[] {
  const { LOCAL_REGION: regionId = null, LOCAL_CAPACITY: capacity = null } = env
  const local = { name: localCluster, regionId, capacity }
  return [...kubernetesClusters(env), ...(env.ENGINE.includes('local') ? [local] : [])]
}

/** True for a project whose site this machine runs. */
export const isLocal = (env: Pick<Env, 'ENGINE'>, cluster: string): boolean =>
  env.ENGINE.includes('local') && cluster === localCluster

import type { Env } from './env.ts'

export type ConfiguredCluster = {
  name: string
  /** Null for the only cluster, which has all regions. */
  regionId: string | null
  /** A context of KUBECONFIG; its current one by default. */
  context: string | undefined
  /** The most projects that it takes; null without a limit. */
  capacity: number | null
}

/** The cluster of projects without KUBERNETES_CLUSTERS, and with the local engine. */
export const defaultCluster = 'default'

/** The clusters that run the sites: of KUBERNETES_CLUSTERS, or the only one. */
export function configuredClusters(
  env: Pick<Env, 'KUBERNETES_CLUSTERS' | 'KUBERNETES_CONTEXT'>,
): readonly ConfiguredCluster[] {
  if (env.KUBERNETES_CLUSTERS.length > 0) return env.KUBERNETES_CLUSTERS
  const { KUBERNETES_CONTEXT: context } = env
  return [{ name: defaultCluster, regionId: null, context, capacity: null }]
}

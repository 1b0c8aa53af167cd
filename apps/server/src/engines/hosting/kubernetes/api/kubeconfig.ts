import type { KubeConfig } from '@kubernetes/client-node'

export type ClusterAccess = {
  /** The kubeconfig; the service account of this process's own pod by default. */
  file: string | undefined
  /** A context of the file; the current context by default. */
  context: string | undefined
}

/** The address and the credentials of a cluster. Throws when the file or the context is missing. */
export async function readKubeconfig({ file, context }: ClusterAccess): Promise<KubeConfig> {
  // Large, and only needed with a cluster.
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  if (file === undefined) config.loadFromCluster()
  else config.loadFromFile(file)
  if (context !== undefined) {
    if (!config.getContextObject(context))
      throw new Error(`The kubeconfig has no context ${context}`)
    config.setCurrentContext(context)
  }
  return config
}

import { writeFile } from 'node:fs/promises'
import { KubeConfig } from '@kubernetes/client-node'
import { readKubeconfig } from '../engines/hosting/kubernetes/api/kubeconfig.ts'

/** Writes a kubeconfig with the current context of each of the named ones, under this name. */
export async function writeKubeconfigOf(
  named: Record<string, string | undefined>,
  target: string,
): Promise<void> {
  const all = await Promise.all(
    Object.entries(named).map(async ([name, file]) => {
      const kubeconfig = await readKubeconfig({ file, context: undefined })
      const [user, cluster] = [kubeconfig.getCurrentUser(), kubeconfig.getCurrentCluster()]
      if (!user || !cluster) throw new Error(`The kubeconfig of ${name} is not complete`)
      return { user: { ...user, name }, cluster: { ...cluster, name } }
    }),
  )
  const config = new KubeConfig()
  config.loadFromOptions({
    users: all.map(({ user }) => user),
    clusters: all.map(({ cluster }) => cluster),
    contexts: Object.keys(named).map((name) => ({ name, cluster: name, user: name })),
    currentContext: Object.keys(named)[0],
  })
  await writeFile(target, config.exportConfig(), { mode: 0o600 })
}

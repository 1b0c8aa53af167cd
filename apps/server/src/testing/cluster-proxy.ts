import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConnectionProxy } from '../db/connection-proxy.fixture.ts'
import { readKubeconfig } from '../engines/hosting/kubernetes/api/kubeconfig.ts'

/** A proxy in front of the API server that breaks or refuses connections, with a kubeconfig. */
export async function startClusterProxy(kubeconfig: string | undefined) {
  const config = await readKubeconfig({ file: kubeconfig, context: undefined })
  const current = config.getCurrentCluster()
  if (!current) throw new Error('The kubeconfig has no cluster for its context')
  const { hostname: host, port } = new URL(current.server)
  const proxy = await startConnectionProxy({ host, port: Number(port || 443) })
  const proxied = {
    name: current.name,
    server: `https://127.0.0.1:${proxy.options.port}`,
    // The certificate of the API server may not name the proxy's address.
    skipTLSVerify: true,
  }
  config.clusters = config.clusters.map((each) => (each.name === current.name ? proxied : each))
  const folder = await mkdtemp(join(tmpdir(), 'slipway-cluster-proxy-'))
  const file = join(folder, 'kubeconfig')
  await writeFile(file, config.exportConfig(), { mode: 0o600 })
  return {
    file,
    refuse: proxy.refuse,
    release: proxy.release,
    connected: proxy.connected,
    break: () => proxy.break(),
    async close() {
      await proxy.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type ClusterProxy = Awaited<ReturnType<typeof startClusterProxy>>

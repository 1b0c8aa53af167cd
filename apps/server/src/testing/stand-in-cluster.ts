import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(
  new URL('../../../../bench/harness/stand-in-cluster.ts', import.meta.url),
)

const kubeconfig = (port: number) => ({
  clusters: [
    {
      name: 'a',
      cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
    },
  ],
  users: [{ name: 'a', user: { token: 'example' } }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  'current-context': 'a',
})

export type StandInCluster = Awaited<ReturnType<typeof startStandInCluster>>

/**
 * A stand-in of the API server of Kubernetes, which gives each Deployment a pod that responds with
 * `ok`. `kubeconfig` is the file of its access.
 */
export async function startStandInCluster({ version = 'v1.33.1' } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
  const child = fork(script, ['0', '0', version])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const file = join(folder, 'kubeconfig.json')
  await writeFile(file, JSON.stringify(kubeconfig(port)))
  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return {
    kubeconfig: file,
    /** Ends the API server at once: it no longer responds. */
    kill,
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

import { Readable } from 'node:stream'
import { createArtifactStore } from '../../../../../artifacts/artifact-store.ts'
import { type ArchiveFiles, zipOf } from '../../../../../testing/archives.ts'
import { hasPhpFpm } from '../../../../../testing/has-php-fpm.ts'
import { startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { hasSandbox } from '../../../../../testing/sandbox.ts'
import { until } from '../../../../../testing/until.ts'
import { createLayout } from '../../files/layout.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'

export const canRunPhp = async () => (await hasSandbox()) && (await hasPhpFpm())

const limits = { archiveBytes: 1e8, unpackedBytes: 1e8, files: 1000 }

export async function startPhpWorld(options: Parameters<typeof startHostingWorld>[0] = {}) {
  const world = await startHostingWorld(options)
  const store = createArtifactStore(world.dataDir, limits)

  async function unpack(files: ArchiveFiles) {
    const { digest } = await store.receive(Readable.from([zipOf(files)]))
    const manifest = await store.unpack(digest)
    return { digest, manifest }
  }

  /** Deploys as a release does: stages it until it is healthy, then switches to it. */
  async function deploy(
    key: string,
    files: ArchiveFiles,
    environment: Record<string, string> = {},
  ) {
    const { digest } = await unpack(files)
    const site = instance(key, { runtime: 'php', artifact: digest, environment })
    const problem = await world.engine.stage(site, { mayCreate: true })
    if (problem) {
      await world.engine.unstage(key)
      return problem
    }
    const php = { artifact: digest, runtime: 'php' } as const
    for (const host of site.hosts)
      world.routes.set(host, { key, cluster: 'local', state: 'ready', php })
    await world.engine.apply(site, { mayCreate: true })
    await until(() => world.engine.isHealthy(site))
    return null
  }
  const bodyOf = async (key: string, path = '/') => (await world.visit(key, path)).body
  return { ...world, unpack, deploy, bodyOf, siteFiles: createLayout(world.dataDir).site }
}

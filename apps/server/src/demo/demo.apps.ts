import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import type { Capability } from '../engines/hosting/engine.ts'
import { createLocalEngine } from '../engines/hosting/local/local-engine.ts'
import type { Env } from '../env/env.ts'
import type { Log } from '../log.ts'
import { root } from '../root.ts'

/** The files of a demo app, as a user uploads them. */
export async function demoArchive(name: string): Promise<Blob> {
  const folder = join(root, 'apps/server/src/demo/apps', name)
  const tar = pack()
  for (const file of await readdir(folder))
    tar.entry({ name: file }, await readFile(join(folder, file)))
  tar.finalize()
  const bytes = gzipSync(await buffer(tar as unknown as AsyncIterable<Buffer>))
  return new Blob([new Uint8Array(bytes)], { type: 'application/gzip' })
}

/** Detects the runtimes of this machine: the service that fills the demo runs no sites. */
export async function detectRuntimes(env: Env, log: Log): Promise<readonly Capability[]> {
  const gateway = { host: env.HOST, port: env.SITES_PORT }
  const withoutSandbox = env.SANDBOX === 'off'
  const engine = createLocalEngine({ dataDir: env.DATA_DIR, gateway, withoutSandbox, log })
  await engine.start()
  const capabilities = await engine.capabilities()
  await engine.close()
  return capabilities
}

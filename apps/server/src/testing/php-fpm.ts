import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createArtifactLayout } from '../artifacts/artifact-layout.ts'
import { createArtifactStore } from '../artifacts/artifact-store.ts'
import { findPhpFpm } from '../engines/hosting/local/runtimes/php/find-php.ts'
import { type GatewayWorld, startGateway } from '../gateway/gateway.fixture.ts'
import type { GatewayOptions } from '../gateway/gateway.ts'
import { type ArchiveFiles, zipOf } from './archives.ts'

const limits = { archiveBytes: 1e8, unpackedBytes: 1e8, files: 1000 }
const nobody = 65_534

/**
 * A gateway with these files as the release of a PHP site at `site.test`. `errors` contains the
 * errors that the program reports.
 */
export async function withRelease(
  files: ArchiveFiles,
  options: Pick<
    GatewayOptions,
    'responseTimeoutMs' | 'phpTimeoutMs' | 'replacementMs' | 'onRequest'
  > = {},
) {
  const errors: string[] = []
  const onErrorOutput = (_key: string, text: string) => errors.push(text)
  const world = await startGateway({ ...options, onErrorOutput })
  const store = createArtifactStore(world.folder, limits)
  const { digest } = await store.receive(Readable.from([zipOf(files)]))
  await store.unpack(digest)
  const php = { artifact: digest, runtime: 'php' } as const
  world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', php })
  return { ...world, errors, artifact: createArtifactLayout(world.folder).artifact(digest).files }
}

/**
 * A gateway with these files as the release of a PHP site that php-fpm runs. The root folder of
 * php-fpm has the paths that programs see in the sandbox. The site may write to `data`.
 */
export async function withPhpFpm(
  files: ArchiveFiles,
  children = 4,
): Promise<GatewayWorld & { data: string; errors: string[] }> {
  const world = await withRelease(files)
  const root = join(world.folder, 'site-data')
  const data = join(root, 'uploads')
  await cp(world.artifact, join(root, 'app'), { recursive: true })
  await mkdir(data)
  await mkdir(join(root, 'tmp'))
  // PHP keeps an upload of more than 16 KiB in /tmp.
  for (const folder of [data, join(root, 'tmp')]) await chmod(folder, 0o777)
  const config = join(world.folder, 'fpm.conf')
  await writeFile(
    config,
    `[global]
daemonize = no
error_log = /dev/stderr
[site]
user = nobody
group = nogroup
listen = ${join(world.folder, 'site')}
listen.owner = ${nobody}
chroot = ${root}
pm = static
pm.max_children = ${children}
php_admin_flag[log_errors] = on
php_admin_flag[display_errors] = off
`,
  )
  const { path } = findPhpFpm() ?? { path: '' }
  const fpm = spawn(path, ['--nodaemonize', '--fpm-config', config], { stdio: 'ignore' })
  const exited = once(fpm, 'exit')
  onTestFinished(async () => {
    fpm.kill('SIGTERM')
    await exited
  })
  await untilListening(join(world.folder, 'site'))
  return { ...world, data }
}

/** Resolves when php-fpm has created its socket. */
async function untilListening(socket: string) {
  const deadline = performance.now() + 10_000
  while (!existsSync(socket)) {
    if (performance.now() > deadline) throw new Error('php-fpm does not listen')
    await delay(10)
  }
}

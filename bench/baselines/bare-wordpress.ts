import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Layout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { findPhpFpm } from '../../apps/server/src/engines/hosting/local/runtimes/php/find-php.ts'
import {
  beginRequest,
  createRecordReader,
  encodePairs,
  endOfStream,
  recordTypes,
  writeRecords,
} from '../../apps/server/src/fastcgi/records.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { startProcess } from '../harness/child-process.ts'

/**
 * The same WordPress with a copy of its data in the same php-fpm, without sandbox and gateway. A
 * folder as root (chroot) gives it the paths that it has in the sandbox.
 */
export async function startBareWordPress(layout: Layout, key: string, core: string) {
  const fpm = findPhpFpm()
  if (!fpm) throw new Error('there is no php-fpm')
  const folder = await mkdtemp(join(tmpdir(), 'bench-wordpress-'))
  await chmod(folder, 0o711)
  const root = join(folder, 'root')
  await mkdir(join(root, 'tmp'), { recursive: true })
  const [wpConfig] = execFileSync('find', [join(layout.root, 'php'), '-name', 'wp-config.php'], {
    encoding: 'utf8',
  }).split('\n')
  if (!wpConfig) throw new Error('there is no wp-config.php')
  await cp(core, join(root, 'app'), { recursive: true })
  await cp(layout.site(key).data, join(root, 'data'), { recursive: true })
  await cp(join(wpConfig, '..'), join(root, 'slipway'), { recursive: true })
  await cp(wpConfig, join(root, 'wp-config.php'))
  await symlink('app/wp-content/plugins/sqlite-database-integration', join(root, 'sqlite'))
  await cp('/usr/share/zoneinfo', join(root, 'usr/share/zoneinfo'), { recursive: true })
  execFileSync('chown', ['-R', 'nobody:nogroup', join(root, 'data'), join(root, 'tmp')])

  const socket = join(folder, 'socket')
  const settings = await readFile(join(root, 'slipway/php-fpm.conf'), 'utf8')
  const config = join(folder, 'fpm.conf')
  await writeFile(
    config,
    settings
      .replace(/^listen = .*$/m, `listen = ${socket}`)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: php-fpm's form of a variable
      .replace('${SLIPWAY_REQUEST_SECONDS}', '300')
      .concat(`\nuser = nobody\ngroup = nogroup\nchroot = ${root}\n`),
  )
  const { orExit, stop } = startProcess(
    fpm.path,
    ['--nodaemonize', '--force-stderr', '--fpm-config', config, '-d', 'opcache.revalidate_freq=0'],
    { env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await orExit(until(async () => existsSync(socket)))

  /** Requests a page, and resolves with its size in bytes. */
  const page = (host: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      let bytes = 0
      const connection = connect(socket)
      const read = createRecordReader({
        onStdout: (part) => {
          bytes += part.length
        },
        onStderr: () => undefined,
        onEnd: () => {
          connection.destroy()
          resolve(bytes)
        },
      })
      const params = encodePairs(
        Object.entries({
          REQUEST_METHOD: 'GET',
          REQUEST_URI: path,
          QUERY_STRING: '',
          SCRIPT_FILENAME: '/app/index.php',
          SCRIPT_NAME: '/index.php',
          SERVER_PROTOCOL: 'HTTP/1.1',
          SERVER_NAME: host,
          HTTP_HOST: host,
          REMOTE_ADDR: '127.0.0.1',
          REDIRECT_STATUS: '200',
        }),
      )
      connection.on('data', read)
      connection.on('error', reject)
      connection.write(
        Buffer.concat([
          beginRequest(),
          ...writeRecords(recordTypes.params, params),
          endOfStream(recordTypes.params),
          endOfStream(recordTypes.stdin),
        ]),
      )
    })
  return {
    page,
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

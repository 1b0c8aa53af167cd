import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { phpRequestSeconds } from '../../../../../fastcgi/php-limits.ts'
import { root } from '../../../../../root.ts'
import type { MissingPart } from '../../../engine.ts'
import { insideEgress, proxyEnv } from '../../egress/proxy-settings.ts'
import type { Layout } from '../../files/layout.ts'
import { insideCertificates, type SiteCertificates } from '../../machine/site-certificates.ts'
import { type Machine, type Program, type Site, socketDescriptor } from '../runtime.ts'
import type { PhpFpm, PhpPrograms } from './find-php.ts'
import { commonSettings } from './php-settings.ts'

const sources = join(root, 'apps/server/src/engines/hosting/local/runtimes')

/** The part that a machine lacks for PHP sites; null if they can run. */
export function missingForPhp(
  { sandbox }: Machine,
  { fpm, hasSocat }: Pick<PhpPrograms, 'fpm' | 'hasSocat'>,
): MissingPart | null {
  if (typeof sandbox === 'string') return sandbox
  if (!sandbox.isolates) return 'sandbox_off'
  if (!fpm) return 'no_php'
  return hasSocat ? null : 'no_socat'
}

const settingsPaths = ['/etc/php', '/etc/php.ini', '/etc/php.d'].filter((path) => existsSync(path))

/**
 * Copies our files for PHP sites into a folder that the sites' users can read. Its name is a digest
 * of the files, so that a change makes a new launch.
 */
export async function installPhpFiles(layout: Layout, folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files: { from: string; path: string }[] = []
  for (const folder of folders) {
    const from = join(sources, folder)
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      const absolute = join(entry.parentPath, entry.name)
      if (!entry.isFile() || entry.name.endsWith('.ts')) continue
      files.push({ from: absolute, path: absolute.slice(from.length) })
    }
  }
  for (const { from, path } of files.sort((first, second) => (first.path < second.path ? -1 : 1)))
    hash.update(`${path}\0`).update(await readFile(from))
  const base = join(layout.root, 'php')
  const target = join(base, hash.digest('hex').slice(0, 16))
  if (existsSync(target)) return target

  await mkdir(base, { recursive: true })
  await chmod(base, 0o711)
  const temporary = `${target}.${process.pid}`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { mode: 0o755 })
  for (const { from, path } of files) {
    await cp(from, join(temporary, path), { recursive: true })
    await chmod(join(temporary, path), 0o444)
  }
  await rename(temporary, target).catch((error: NodeJS.ErrnoException) => {
    // Another start has installed the same files.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return target
}

/** The limits of all processes of a PHP site together. */
const limits = { memoryBytes: 512 * 2 ** 20, cpus: 1, processes: 64 }
const maxFileBytes = 2 ** 30

/** The settings in a sandbox, where connections and emails leave through the egress proxy. */
const startSettings = [
  ...commonSettings,
  'auto_prepend_file=/slipway/prepend.php',
  // Quoted: a value in a setting of the command line ends at a blank otherwise.
  'sendmail_path="/bin/sh /slipway/sendmail.sh"',
]

/** php-fpm knows the socket, which the engine has opened, by this path. */
const socket = '/tmp/site.sock'

export type PhpOptions = {
  /** The longest time of a request, in seconds; 300 by default. */
  requestSeconds?: number
}

/** The differences between the runtimes on php-fpm, and between their sites. */
type ProgramOptions = PhpOptions & {
  readable?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string>>
  certificates: SiteCertificates | null
  version: string
}

/** PHP reads a single file of certificates: this one instead of its own. */
const certificateSettings = ['openssl.cafile', 'curl.cainfo'].map(
  (setting) => `${setting}=${insideCertificates.all}`,
)

/** php-fpm with the release at /app and the site's data in /data. */
export function phpProgram(
  site: Site,
  fpm: PhpFpm,
  phpFiles: string,
  options: ProgramOptions,
): Program {
  const { instance, files, artifact } = site
  const { certificates } = options
  if (artifact === null || instance.artifact === null)
    throw new Error(`${instance.key} has no release`)
  return {
    command: [
      '/bin/sh',
      '/slipway/start.sh',
      fpm.path,
      '--nodaemonize',
      '--force-stderr',
      '--fpm-config',
      '/slipway/php-fpm.conf',
      ...[...startSettings, ...(certificates ? certificateSettings : [])].flatMap((setting) => [
        '-d',
        setting,
      ]),
    ],
    env: {
      ...instance.environment,
      ...proxyEnv,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: '/data',
      DATA_DIR: '/data',
      // Read by php-fpm.conf.
      SLIPWAY_REQUEST_SECONDS: String(options.requestSeconds ?? phpRequestSeconds),
      SLIPWAY_LISTEN: socket,
      FPM_SOCKETS: `${socket}=${socketDescriptor}`,
      ...options.env,
    },
    cwd: '/app',
    sandboxSettings: {
      readable: {
        ...Object.fromEntries(settingsPaths.map((path) => [path, path])),
        '/app': artifact.files,
        '/slipway': phpFiles,
        [insideEgress]: files.egress,
        ...(certificates && { [insideCertificates.all]: certificates.all }),
        ...options.readable,
      },
      writable: { '/data': files.data },
      limits,
    },
    fileBytes: maxFileBytes,
    version: options.version,
    release: instance.artifact,
  }
}

import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { requireRestored } from './backup/restore-mark.ts'
import { checkDatabase } from './db/connect-check.ts'
import { prepareDataDir } from './db/data-folder.ts'
import { findClosedFolder } from './engines/hosting/local/machine/node-executable.ts'
import type { Env } from './env/env.ts'
import { inheritedSocket } from './env/inherited-sockets.ts'
import { SettingError } from './env/setting-error.ts'
import { certificateFiles, readCertificateFile } from './gateway/tls/certificate-files.ts'

/**
 * Checks the settings that depend on the machine before anything starts: ports, folders, the
 * database of `DATABASE_URL`. Throws a `SettingError`.
 */
export async function checkMachine(env: Env): Promise<void> {
  const does = (role: Env['ROLE']) => env.ROLE === 'all' || env.ROLE === role
  if (inheritedSocket('console') === undefined) await tryPort(env, env.HOST, env.PORT)
  if (does('gateway') && inheritedSocket('sites') === undefined)
    await tryPort(env, env.SITES_HOST, env.SITES_PORT)
  if (does('gateway') && env.SITES_TLS_PORT !== undefined)
    if (inheritedSocket('sites-tls') === undefined)
      await tryPort(env, env.SITES_HOST, env.SITES_TLS_PORT)
  if (does('gateway') && env.SITES_TLS_PORT !== undefined)
    certificateFiles(env).forEach(readCertificateFile)
  if (does('worker') && env.ENGINE.includes('kubernetes')) await checkContexts(env)
  if (env.METRICS_PORT !== undefined) await tryPort(env, env.METRICS_HOST, env.METRICS_PORT)
  if (does('web')) checkConsole(env.CONSOLE_DIR)
  requireRestored(env.DATA_DIR)
  if (env.DATABASE_URL === undefined) return
  prepareDataDir(env.DATA_DIR)
  if (does('worker')) await checkSitesMayEnter(env.DATA_DIR)
  await checkDatabase(env.DATABASE_URL)
}

/** The contexts of KUBERNETES_CLUSTERS are in KUBECONFIG. Whether they respond is checked later. */
async function checkContexts({ KUBERNETES_CLUSTERS: clusters, KUBECONFIG: file }: Env) {
  if (clusters.length === 0) return
  if (file === undefined)
    throw new SettingError('KUBECONFIG must be set when KUBERNETES_CLUSTERS is')
  const { readKubeconfig } = await import('./engines/hosting/kubernetes/api/kubeconfig.ts')
  for (const { name, context } of clusters)
    await readKubeconfig({ file, context }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new SettingError(
        `KUBERNETES_CLUSTERS must have contexts of KUBECONFIG, but ${name} has ${context}: ${reason}`,
        { cause },
      )
    })
}

/** Listens on the port and stops. Only the system knows whether it is available. */
async function tryPort(env: Env, host: string, port: number) {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, env) ?? error))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()))
  })
}

const listeners = [
  { portName: 'PORT', hostName: 'HOST' },
  { portName: 'SITES_PORT', hostName: 'SITES_HOST' },
  { portName: 'SITES_TLS_PORT', hostName: 'SITES_HOST' },
  { portName: 'METRICS_PORT', hostName: 'METRICS_HOST' },
] as const

/** The wrong setting behind a failed `listen`; undefined for other errors. */
export function listenError(error: unknown, env: Env): SettingError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, port, hostname } = error as NodeJS.ErrnoException & {
    port?: number
    hostname?: string
  }
  const listener = listeners.find(({ portName, hostName }) =>
    syscall === 'listen'
      ? port === env[portName]
      : syscall === 'getaddrinfo' && hostname === env[hostName],
  )
  if (!listener) return undefined
  const { portName, hostName } = listener
  const because = (sentence: string) => new SettingError(sentence, { cause: error })
  if (code === 'EADDRINUSE')
    return because(
      `${portName} must be a free port, but ${port} is in use: stop what listens there, or choose another port`,
    )
  if (code === 'EACCES')
    return because(
      `${portName} must be a port that this user may listen on, but ${port} is not: choose one from 1024, or let systemd open it (deploy/systemd)`,
    )
  return because(
    `${hostName} must be an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::, but is "${env[hostName]}" (${code})`,
  )
}

function checkConsole(folder: string | undefined) {
  if (folder === undefined || existsSync(join(folder, 'index.html'))) return
  const lack = existsSync(folder) ? 'has no index.html' : 'does not exist'
  throw new SettingError(`CONSOLE_DIR must be the folder of a built console, but ${folder} ${lack}`)
}

/** As root the sites run as their own users, who must be able to enter the data folder. */
async function checkSitesMayEnter(folder: string) {
  const closed = process.getuid?.() === 0 ? await findClosedFolder(folder) : null
  if (closed === null) return
  throw new SettingError(
    `DATA_DIR must be a folder that the users whom sites run as can reach, but they cannot enter ${closed}: run chmod o+x ${closed}, or choose another folder`,
  )
}

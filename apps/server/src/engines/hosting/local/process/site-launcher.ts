import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { ifThere } from '../files/file-errors.ts'
import type { SiteFiles } from '../files/layout.ts'
import type { Account } from '../machine/accounts.ts'
import type { Release } from '../release/release.ts'
import { openSiteLog } from './site-log.ts'
import { type Exit, type SiteProcess, startSiteProcess } from './site-process.ts'

/** Resource limits of a site. */
export type Limits = {
  /** JavaScript heap, in MiB. */
  heapMiB: number
  /** The maximum size of a file the site may write, its log included, in bytes. */
  fileBytes: number
}

/** The release of a `launch` text. */
export const releaseOf = (launch: string): string => launch.split('-', 1)[0] ?? ''

export type SiteLauncher = {
  readonly version: string
  /** Changes when running sites need a restart. */
  readonly launch: string
  start(files: SiteFiles, account: Account | null): Promise<SiteProcess>
}

/**
 * The command line of a site. Node's permission model allows it to read its code, settings and
 * data, to write its data and to use the network, which its socket needs. Child processes, workers
 * and native code are denied.
 */
const nodeArguments = (release: Release, files: SiteFiles, limits: Limits): string[] => [
  '--permission',
  '--allow-net',
  `--allow-fs-read=${release.folder}/`,
  `--allow-fs-read=${files.settings}`,
  `--allow-fs-read=${files.data}/`,
  `--allow-fs-write=${files.data}/`,
  // --allow-net prints an experimental warning, which does not belong in the site's log.
  '--disable-warning=ExperimentalWarning',
  `--max-old-space-size=${limits.heapMiB}`,
  release.main,
]

const siteArguments = (files: SiteFiles): string[] => [
  '--settings',
  files.settings,
  '--data',
  files.data,
  '--socket',
  files.socket,
  '--await-start',
]

/** Starts sites from one release with one Node executable. */
export const createSiteLauncher = (
  node: string,
  release: Release,
  limits: Limits,
): SiteLauncher => {
  const { version } = release
  const circumstances = createHash('sha256')
    .update(JSON.stringify([release.id, node, limits]))
    .digest('hex')
    .slice(0, 16)
  const launch = `${release.id}-${circumstances}`

  return {
    version,
    launch,
    async start(files, account) {
      const log = await openSiteLog(files.log)
      try {
        // The previous process has exited, so no process listens on it.
        await rm(files.socket, { force: true })
        return await startSiteProcess({
          node,
          nodeArguments: nodeArguments(release, files, limits),
          siteArguments: siteArguments(files),
          cwd: files.data,
          account,
          fileBytes: limits.fileBytes,
          logFd: log.fd,
          recordPath: files.process,
          version,
          launch,
        })
      } finally {
        await log.close()
      }
    },
  }
}

const listeningPollMs = 25
const listeningTimeoutMs = 10_000

/** Resolves once a started site listens, has exited or takes too long, or when the signal aborts. */
export const untilListening = async (
  socket: string,
  exited: Promise<Exit>,
  signal: AbortSignal,
): Promise<void> => {
  let ended = false
  exited.then(() => {
    ended = true
  })
  const deadline = performance.now() + listeningTimeoutMs
  const waits = async () =>
    !ended &&
    !signal.aborted &&
    performance.now() < deadline &&
    (await ifThere(stat(socket))) === null
  while (await waits()) await delay(listeningPollMs, undefined, { ref: false })
}

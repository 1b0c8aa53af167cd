import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { SiteFiles } from '../files/layout.ts'
import type { Account } from '../machine/accounts.ts'
import type { Release } from '../release/release.ts'
import { cutSiteLog, openSiteLog } from './site-log.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'

/** What one site may use. */
export type Limits = {
  /** JavaScript heap, in MiB. */
  heapMiB: number
  /** The largest file the site may write, its log included, in bytes. */
  fileBytes: number
  /** The log is cut to this size every few seconds, in bytes. */
  logBytes: number
}

/** The release a `launch` text stands for. */
export const releaseOf = (launch: string): string => launch.split('-', 1)[0] ?? ''

export type SiteLauncher = {
  readonly version: string
  /** Changes when running sites must be restarted to be up to date. */
  readonly launch: string
  start(files: SiteFiles, account: Account | null): Promise<SiteProcess>
}

/**
 * The command line of a site: Node's permission model lets it read its program, its settings and its
 * data, write its data, and use the network (which listening on its socket needs, too); no child
 * process, worker, native code or anything else.
 */
const nodeArguments = (release: Release, files: SiteFiles, limits: Limits): string[] => [
  '--permission',
  '--allow-net',
  `--allow-fs-read=${release.folder}/`,
  `--allow-fs-read=${files.settings}`,
  `--allow-fs-read=${files.data}/`,
  `--allow-fs-write=${files.data}/`,
  // --allow-net is said to be experimental; the site's log is not the place to read it.
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

/** Starts sites from one release on one runtime. */
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
        await cutSiteLog(files.log, limits.logBytes)
        // Nobody listens on it any more: the process before this one is known to be gone.
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

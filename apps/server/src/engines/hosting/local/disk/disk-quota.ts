import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../../log.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { nullIfMissing } from '../files/file-errors.ts'
import { measureFolder } from '../files/folder-size.ts'
import type { Layout } from '../files/layout.ts'
import { measureUnlinkedFiles } from '../files/unlinked-files.ts'
import type { SiteProcess } from '../process/site-process.ts'

export type DiskLimits = {
  /** The most that a site may store, in bytes. */
  bytes: number
  entries: number
  /** The interval between two measurements of all sites, in milliseconds. */
  intervalMs: number
}

export const defaultDiskLimits: DiskLimits = {
  bytes: 2 ** 30,
  entries: 200_000,
  intervalMs: 2_000,
}

type Dependencies = {
  layout: Layout
  limits: DiskLimits
  /** The processes of customers' programs that run, by site. */
  running: () => ReadonlyMap<string, readonly SiteProcess[]>
  /** Stops the site, which is not started again. */
  stop: (key: string) => Promise<void>
  closing: AbortSignal
  log: Log
}

/** The measurements take at most this share of the time. */
const share = 0.1

/**
 * Stops sites that store more than their disk has (decision 57). Then a file in the site's folder
 * has the id of the launch that filled the disk. Another launch, such as a restart, may run and
 * delete files, but the site may not grow.
 */
export const createDiskQuota = (dependencies: Dependencies) => {
  const { layout, limits, running, closing, log } = dependencies
  /** The size that a site had when it was started with a full disk. */
  const allowed = new Map<string, number>()

  const measure = (key: string) => measureFolder(layout.site(key).data, limits.entries)

  /** The size with files that the site's processes have deleted and still use. */
  const measureRunning = async (key: string, processes: readonly SiteProcess[]) => {
    const groups = processes.flatMap(({ group }) => group ?? [])
    const ids = (await Promise.all(groups.map((group) => group.processes()))).flat()
    const stored = await measure(key)
    const unlinked = await measureUnlinkedFiles(layout.site(key).data, ids)
    return {
      bytes: stored.bytes + unlinked.bytes,
      entries: stored.entries + unlinked.entries,
    }
  }

  const check = async (key: string, processes: readonly SiteProcess[]) => {
    const { bytes, entries } = await measureRunning(key, processes)
    const maxBytes = allowed.get(key) ?? limits.bytes
    if (bytes <= limits.bytes) allowed.delete(key)
    if (bytes <= maxBytes && entries <= limits.entries) return
    log.warn({ key, bytes, entries }, 'A site has filled its disk and is stopped')
    const [serving] = processes
    if (serving)
      await writeFileAtomic(layout.site(key).diskFull, serving.record.launch, { mode: 0o600 })
    // Without the lock of the site, which a release may have while it waits for the site's health.
    await Promise.all(processes.map((process) => process.kill()))
    await dependencies.stop(key)
  }

  return {
    /** Measures the running sites repeatedly, until the engine closes. */
    async watch(): Promise<void> {
      while (!closing.aborted) {
        const startedAt = performance.now()
        for (const [key, processes] of running()) {
          if (closing.aborted) return
          await check(key, processes).catch((err: unknown) =>
            log.error({ key, err }, 'The disk of a site was not measured'),
          )
        }
        const wait = Math.max(limits.intervalMs, (performance.now() - startedAt) / share)
        await delay(wait, undefined, { signal: closing, ref: false }).catch(() => undefined)
      }
    },

    /** The launch that filled the disk; null for a site within its quota. */
    stoppedLaunchId: (key: string): Promise<string | null> =>
      nullIfMissing(readFile(layout.site(key).diskFull, 'utf8')),

    /** The owner has stopped the site: its next start is a new attempt. */
    async resetLaunch(key: string): Promise<void> {
      const { diskFull } = layout.site(key)
      if ((await nullIfMissing(readFile(diskFull, 'utf8'))) !== null)
        await writeFileAtomic(diskFull, '', { mode: 0o600 })
    },

    /** Lets a site with a full disk run again, as long as it does not grow. */
    async allow(key: string): Promise<void> {
      const { bytes } = await measure(key)
      allowed.set(key, Math.max(bytes, limits.bytes))
      await rm(layout.site(key).diskFull, { force: true })
    },
  }
}

export type DiskQuota = ReturnType<typeof createDiskQuota>

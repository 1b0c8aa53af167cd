import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { nullIfMissing } from '../../../../file-errors.ts'
import type { Log } from '../../../../log.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { type FolderSize, measureFolder } from '../files/folder-size.ts'
import type { Layout } from '../files/layout.ts'
import { measureUnlinkedFiles } from '../files/unlinked-files.ts'
import type { SiteProcess } from '../process/site-process.ts'

export type DiskLimits = {
  /** Maximum bytes that a site may store. */
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

/** The processes of a site that run in a sandbox. */
export type SiteProcesses = {
  serving: SiteProcess | null
  /** The process that is checked beside it, such as a new release's. */
  checked: SiteProcess | null
}

type Dependencies = {
  layout: Layout
  limits: DiskLimits
  /** The running processes of customers' programs, by site. */
  running: () => ReadonlyMap<string, SiteProcesses>
  /** Stops the site without a restart. */
  stop: (key: string) => Promise<void>
  closing: AbortSignal
  log: Log
}

/** The maximum share of the time that the thread of the measurements is busy. */
const measuringShare = 0.25

/** A site with this many times its limits is always stopped, because counting its files is slow. */
const maxExcess = 10
/** Up to this many times its limits, a site keeps serving while another process fills its disk. */
const maxExcessOfServing = 2

/**
 * Stops sites that store more than their disk limits (decision 57), and stores the id of the launch
 * that filled the disk in the site's folder. Another launch, such as a restart, may run and delete
 * files, but the site may not grow. While a new process is checked, only that one is stopped: the
 * other keeps serving until the site has twice its limits.
 */
export const createDiskQuota = (dependencies: Dependencies) => {
  const { layout, limits, running, closing, log } = dependencies
  /** The size that a site had when it was started with a full disk; null for other sites. */
  const readAllowance = async (key: string) => {
    const text = await nullIfMissing(readFile(layout.site(key).diskAllowance, 'utf8'))
    return text === null ? null : (JSON.parse(text) as FolderSize)
  }

  /** The launch that filled the disk; null for a site within its quota. */
  const stoppedLaunchId = (key: string): Promise<string | null> =>
    nullIfMissing(readFile(layout.site(key).diskFull, 'utf8'))

  const stoppedChecks = new WeakSet<SiteProcess>()
  /** The sites that are being stopped. */
  const stopping = new Set<string>()

  /** Does not wait: other sites are measured while this one waits for its lock. */
  const stop = (key: string) => {
    stopping.add(key)
    dependencies
      .stop(key)
      .catch((err: unknown) => log.error({ key, err }, 'A site with a full disk was not stopped'))
      .finally(() => stopping.delete(key))
  }

  /** The size with files that the site's processes have deleted and still use. */
  const measureRunning = async (
    key: string,
    processes: readonly SiteProcess[],
    maxEntries: number,
  ) => {
    const groups = processes.flatMap(({ group }) => group ?? [])
    const ids = (await Promise.all(groups.map((group) => group.processes()))).flat()
    const { data } = layout.site(key)
    const stored = await measureFolder(data, maxEntries)
    const unlinked = await measureUnlinkedFiles(data, ids)
    return {
      bytes: stored.bytes + unlinked.bytes,
      entries: stored.entries + unlinked.entries,
    }
  }

  /** Lets new processes of a site with a full disk run, as long as the site does not grow. */
  const allowAttempt = async (key: string) => {
    const { data, diskAllowance } = layout.site(key)
    const maxEntries = limits.entries * maxExcess
    const { bytes, entries } = await measureFolder(data, maxEntries)
    const allowance: FolderSize = {
      bytes: Math.min(Math.max(bytes, limits.bytes), limits.bytes * maxExcess),
      entries: Math.min(Math.max(entries, limits.entries), maxEntries),
    }
    await writeFileAtomic(diskAllowance, JSON.stringify(allowance), { mode: 0o600 })
  }

  /** Lets a site that was stopped for its full disk run again, as long as it does not grow. */
  const allow = async (key: string) => {
    await allowAttempt(key)
    await rm(layout.site(key).diskFull, { force: true })
  }

  const check = async (key: string, { serving, checked }: SiteProcesses) => {
    const processes = [serving, checked].filter((process) => process !== null)
    const allowance = await readAllowance(key)
    const max = allowance ?? limits
    const { bytes, entries } = await measureRunning(key, processes, max.entries)
    if (allowance && bytes <= limits.bytes && entries <= limits.entries)
      await rm(layout.site(key).diskAllowance, { force: true })
    if (bytes <= max.bytes && entries <= max.entries) return
    // Kills without the lock of the site: a release has it while it waits for the site's health.
    if (checked) {
      // The checked process may serve since the measurement.
      if (running().get(key)?.serving === checked) return
      log.warn({ key, bytes, entries }, 'A process has filled the disk of its site and is stopped')
      stoppedChecks.add(checked)
      await checked.kill()
      await checked.exited
      const maxEntries = limits.entries * maxExcessOfServing
      const stored = await measureFolder(layout.site(key).data, maxEntries)
      const mayServe =
        stored.bytes <= limits.bytes * maxExcessOfServing && stored.entries <= maxEntries
      if (mayServe) await allowAttempt(key)
      if (!serving || mayServe) return
    }
    log.warn({ key, bytes, entries }, 'A site has filled its disk and is stopped')
    if (serving) {
      await writeFileAtomic(layout.site(key).diskFull, serving.record.launch, { mode: 0o600 })
      await serving.kill()
    }
    stop(key)
  }

  return {
    /** Measures the running sites repeatedly, until the engine closes. */
    async watch(): Promise<void> {
      while (!closing.aborted) {
        const startedAt = performance.now()
        for (const [key, processes] of running()) {
          if (closing.aborted) return
          if (stopping.has(key)) continue
          await check(key, processes).catch((err: unknown) =>
            log.error({ key, err }, 'The disk of a site was not measured'),
          )
        }
        const wait = Math.max(limits.intervalMs, (performance.now() - startedAt) / measuringShare)
        await delay(wait, undefined, { signal: closing, ref: false }).catch(() => undefined)
      }
    },

    stoppedLaunchId,

    /** The owner has stopped the site: its next start is a new attempt. */
    async resetLaunch(key: string): Promise<void> {
      const { diskFull } = layout.site(key)
      if ((await stoppedLaunchId(key)) !== null)
        await writeFileAtomic(diskFull, '', { mode: 0o600 })
    },

    /** True for a process that was stopped, while it was checked, because the disk was full. */
    hasStopped: (process: SiteProcess): boolean => stoppedChecks.has(process),

    allow,
    allowAttempt,
  }
}

export type DiskQuota = ReturnType<typeof createDiskQuota>

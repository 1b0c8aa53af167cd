import { SettingError } from '../../../../env/setting-error.ts'
import { tryLock } from '../../../../file-lock.ts'
import { createLimiter } from '../../../../limiter.ts'
import type { Log } from '../../../../log.ts'
import { createLayout, type Layout, sitesOnDisk } from '../files/layout.ts'
import { type Cgroup, type Cgroups, findCgroups } from '../sandbox/cgroup.ts'
import { type ProcessRecord, readProcessRecord } from './process-record.ts'
import { adoptSiteProcess } from './site-process.ts'

const concurrentStops = 64

/**
 * Stops all recorded processes of sites and returns their number. The caller has the lock of the
 * sites, or another server would restart them.
 */
export const stopRecordedSites = async (
  layout: Layout,
  graceMs: number,
  log: Log,
): Promise<number> => {
  const stops = createLimiter(concurrentStops)
  const cgroups = await findCgroups()
  const keys = await sitesOnDisk(layout)
  const stopped = await Promise.all(
    keys.map((key) =>
      stops.run(async () => {
        const files = layout.site(key)
        const records = [files.process, files.candidate, files.draining]
        return Promise.all(records.map((path) => stopRecorded(path, cgroups, graceMs, log)))
      }),
    ),
  )
  return stopped.flat().filter(Boolean).length
}

/** Stops the process of a record; false when none runs. */
export const stopRecorded = async (
  path: string,
  cgroups: Cgroups | null,
  graceMs: number,
  log: Log,
): Promise<boolean> => {
  const record = await readProcessRecord(path)
  const process = record && (await adoptSiteProcess(record, groupOf(record, cgroups), log))
  await process?.stop(graceMs)
  return Boolean(process)
}

export const groupOf = ({ group }: ProcessRecord, cgroups: Cgroups | null): Cgroup | null =>
  group === null || !cgroups ? null : cgroups.open(group)

const leftSitesGraceMs = 5_000

/**
 * Stops the sites that a server left running, and returns their number. Throws a `SettingError`
 * while a server uses the data folder.
 */
export const stopLeftSites = async (dataDir: string, log: Log): Promise<number> => {
  const layout = createLayout(dataDir)
  const lock = tryLock(layout.lock)
  if (!lock)
    throw new SettingError(`a server runs the sites of ${layout.root}: stop it with Ctrl-C`)
  try {
    return await stopRecordedSites(layout, leftSitesGraceMs, log)
  } finally {
    lock.release()
  }
}

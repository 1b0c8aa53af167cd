import { createLimiter, type Limiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import { CapacityError, type Instance } from '../engine.ts'
import type { KeyedLock } from '../keyed-lock.ts'
import type { DiskQuota } from './disk/disk-quota.ts'
import type { Layout } from './files/layout.ts'
import type { Launches, StartedMachine } from './launches.ts'
import type { Account } from './machine/accounts.ts'
import type { Capacity } from './machine/capacity.ts'
import { readProcessRecord } from './process/process-record.ts'
import { shareSocket } from './process/shared-socket.ts'
import { readApplied, shareData } from './process/site-folder.ts'
import { publishSocket, socketOf } from './process/site-launcher.ts'
import { adoptSiteProcess } from './process/site-process.ts'
import { groupOf } from './process/stop-sites.ts'
import type { Sleep } from './sleep/sleep.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

/** The maximum number of sites whose files are read at once. */
export const concurrentReads = 32

type Dependencies = {
  layout: Layout
  locks: KeyedLock
  machine: () => StartedMachine
  launches: Launches
  capacity: Capacity
  /** Opens the proxy of a site. Idempotent. */
  openEgress: (key: string, account: Account | null) => Promise<void>
  supervisorOf: (key: string) => Supervisor
  sleep: Sleep
  disks: DiskQuota
  mayRun: (instance: Instance) => boolean
  closing: AbortSignal
  log: Log
}

/** Finds the sites of an earlier server: adopts running processes, and starts missing ones. */
export function createRecovery(dependencies: Dependencies) {
  const { layout, locks, machine, launches, capacity, openEgress } = dependencies
  const { supervisorOf, sleep, disks, mayRun, closing, log } = dependencies
  const recovering = new Set<string>()

  async function recover(key: string, reads: Limiter) {
    if (closing.aborted) return
    const files = layout.site(key)
    const { accounts, cgroups } = machine()
    const { applied, process } = await reads.run(async () => {
      await launches.stopLeftovers(key)
      const record = await readProcessRecord(files.process)
      return {
        applied: await readApplied(files),
        process: record && (await adoptSiteProcess(record, groupOf(record, cgroups), log)),
      }
    })
    if (process) {
      capacity.add(key)
      if (process.record.group) await openEgress(key, accounts.claim(key))
      // An earlier version shared neither the socket nor the data with the gateway.
      await shareSocket(socketOf(files, process), accounts.serviceGroup)
      await shareData(files, accounts.claim(key))
      await publishSocket(files, process)
      supervisorOf(key).adopt(process, applied !== null && mayRun(applied))
      await sleep.clear(key)
      log.info({ key, pid: process.record.pid }, 'A running site was adopted')
    } else if (applied && mayRun(applied) && !closing.aborted) {
      if ((await disks.stoppedLaunchId(key)) !== null || (await sleep.recover(key))) return
      capacity.admit(key)
      try {
        await supervisorOf(key).ensureRunning()
      } catch (error) {
        capacity.remove(key)
        throw error
      }
    }
  }

  return {
    isRecovering: (key: string) => recovering.has(key),

    /** Recovers all sites concurrently, each behind its lock: calls for a site wait until then. */
    async recoverAll(keys: readonly string[]) {
      const reads = createLimiter(concurrentReads)
      for (const key of keys) recovering.add(key)
      await Promise.all(
        keys.map((key) =>
          locks
            .exclusively(key, () => recover(key, reads))
            .catch((error: unknown) => {
              // One broken site does not block the others; the reconciler applies it again.
              if (closing.aborted || error instanceof CapacityError) return
              log.error({ key, err: error }, 'A site could not be recovered')
            })
            .finally(() => recovering.delete(key)),
        ),
      )
    },
  }
}

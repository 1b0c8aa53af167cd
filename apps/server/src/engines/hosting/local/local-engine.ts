import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../../log.ts'
import type { HostingEngine, Instance, Report } from '../engine.ts'
import { createLayout, isKey } from './files/layout.ts'
import { createKeyedLock } from './keyed-lock.ts'
import { type Accounts, createAccounts } from './machine/accounts.ts'
import { checkMachine, prepareMachine } from './machine/machine.ts'
import { readProcessRecord } from './process/process-record.ts'
import {
  deleteSiteFolders,
  forgetApplied,
  prepareSiteFolders,
  readApplied,
  rememberAccount,
  writeApplied,
} from './process/site-folder.ts'
import {
  createSiteLauncher,
  type Limits,
  releaseOf,
  type SiteLauncher,
} from './process/site-launcher.ts'
import { truncateSiteLog } from './process/site-log.ts'
import { adoptSiteProcess } from './process/site-process.ts'
import { deleteOldReleases, installRelease } from './release/release.ts'
import {
  createLimiter,
  defaultHangRules,
  type HangRules,
  respondsAt,
} from './supervisor/hang-watch.ts'
import { createHealthCheck, type Gateway } from './supervisor/health-check.ts'
import { type Backoff, createSupervisor, type Supervisor } from './supervisor/supervisor.ts'

export type LocalEngineOptions = {
  /** Absolute. The caller ensures that only one engine uses a data folder. */
  dataDir: string
  /** Where the site gateway listens; read at each use. */
  gateway: Gateway
  log: Log
  /** The Node executable for the sites; the server's own by default. */
  node?: string
  /** The folder of the site's code; the starter site by default. */
  siteSource?: string
  limits?: Partial<Limits>
  backoff?: Partial<Backoff>
  hang?: Partial<HangRules>
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  stopGraceMs?: number
  /** Interval between checks of the log sizes, in milliseconds. */
  logCheckMs?: number
}

const starterSite = fileURLToPath(new URL('../../../../../site', import.meta.url))
const defaultLimits: Limits = { heapMiB: 64, fileBytes: 32 * 2 ** 20, logBytes: 2 ** 20 }
const defaultBackoff: Backoff = { initialMs: 100, maxMs: 30_000, resetAfterMs: 60_000 }

/** The maximum number of concurrent hang checks. */
const concurrentHangChecks = 8

type Started = { accounts: Accounts; launcher: SiteLauncher }

/**
 * Runs each site as a Node process on this machine, under Node's permission model and, when the
 * server is root, as its own user.
 */
export const createLocalEngine = (options: LocalEngineOptions): HostingEngine => {
  const { gateway, log, stopGraceMs = 5_000, logCheckMs = 2_000 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const backoff = { ...defaultBackoff, ...options.backoff }
  const hang = { ...defaultHangRules, ...options.hang }
  const layout = createLayout(options.dataDir)
  const lock = createKeyedLock()
  const limited = createLimiter(concurrentHangChecks)
  const health = createHealthCheck(() => gateway)
  const supervisors = new Map<string, Supervisor>()
  let started: Started | null = null
  let recovered = false
  let closed = false
  let logTimer: NodeJS.Timeout | undefined

  const requireStarted = (): Started => {
    if (closed) throw new Error('The hosting engine is closed')
    if (!started) throw new Error('The hosting engine has not started')
    return started
  }

  /** Throws before recovery: a site applied earlier could run twice. */
  const requireRecovered = (): Started => {
    const { accounts, launcher } = requireStarted()
    if (!recovered) throw new Error('The hosting engine has not started')
    return { accounts, launcher }
  }

  const launch = async (key: string) => {
    const { accounts, launcher } = requireStarted()
    const files = layout.site(key)
    const process = await launcher.start(files, await prepareSiteFolders(key, files, accounts))
    log.info({ key, pid: process.record.pid, version: process.record.version }, 'A site started')
    return process
  }

  const supervisorOf = (key: string): Supervisor => {
    let supervisor = supervisors.get(key)
    if (!supervisor) {
      supervisor = createSupervisor({
        key,
        launch: () => launch(key),
        exclusively: (task) => lock(key, task),
        responds: () => limited(() => respondsAt(layout.site(key).socket, hang.timeoutMs)),
        backoff,
        hang,
        log,
      })
      supervisors.set(key, supervisor)
    }
    return supervisor
  }

  const recover = async (key: string) => {
    const files = layout.site(key)
    const applied = await readApplied(files)
    const record = await readProcessRecord(files.process)
    const process = record && (await adoptSiteProcess(record))
    if (process) {
      supervisorOf(key).adopt(process, applied !== null)
      log.info({ key, pid: process.record.pid }, 'A running site was adopted')
    } else if (applied) {
      await supervisorOf(key).ensureRunning()
    }
  }

  const truncateLogs = async () => {
    for (const [key, supervisor] of supervisors) {
      await lock(key, async () => {
        if (supervisor.current()) await truncateSiteLog(layout.site(key).log, limits.logBytes)
      })
    }
  }

  const watchLogs = () => {
    if (closed) return
    logTimer = setTimeout(() => {
      truncateLogs()
        .catch((error: unknown) => log.error({ err: error }, 'A site log could not be truncated'))
        .finally(watchLogs)
    }, logCheckMs)
    logTimer.unref()
  }

  const sitesOnDisk = async () => (await readdir(layout.sites)).filter(isKey)

  const recoverAll = async (keys: readonly string[]) => {
    for (const key of keys) {
      try {
        await lock(key, () => recover(key))
      } catch (error) {
        // One broken site does not block the others; the reconciler applies it again.
        log.error({ key, err: error }, 'A site could not be recovered')
      }
    }
  }

  const releasesInUse = (current: string) => {
    const launches = [...supervisors.values()].map((one) => one.current()?.record.launch ?? '')
    return new Set([current, ...launches.map(releaseOf)])
  }

  const apply = async (instance: Instance, report?: Report) => {
    const { accounts, launcher } = requireRecovered()
    const { key } = instance
    report?.('prepare')
    const files = layout.site(key)
    const account = await prepareSiteFolders(key, files, accounts)
    await writeApplied(files, instance, account)

    report?.('start')
    const supervisor = supervisorOf(key)
    const running = supervisor.current()
    if (running && running.record.launch !== launcher.launch) await supervisor.stop(stopGraceMs)
    await supervisor.ensureRunning()
  }

  const remove = async (key: string) => {
    const { accounts } = requireRecovered()
    const files = layout.site(key)
    await forgetApplied(files)
    await supervisors.get(key)?.stop(stopGraceMs)
    await deleteSiteFolders(files)
    supervisors.delete(key)
    accounts.release(key)
  }

  return {
    name: 'local',
    steps: ['prepare', 'start'],

    async start() {
      if (started || closed) throw new Error('The hosting engine has already started')
      const accounts = await createAccounts()
      const node = await prepareMachine(layout, accounts, options.node ?? process.execPath)
      const source = options.siteSource ?? starterSite
      const release = await installRelease(process.execPath, source, layout.releases)
      const launcher = createSiteLauncher(node, release, limits)
      started = { accounts, launcher }

      const keys = await sitesOnDisk()
      await Promise.all(keys.map((key) => rememberAccount(key, layout.site(key), accounts)))
      await recoverAll(keys)
      recovered = true
      await deleteOldReleases(layout.releases, releasesInUse(release.id))
      watchLogs()
    },

    async apply(instance, report) {
      layout.site(instance.key)
      await lock(instance.key, () => apply(instance, report))
    },

    async remove(key) {
      if (isKey(key)) await lock(key, () => remove(key))
    },

    addressOf: (key) => ({ socketPath: layout.site(key).socket }),

    async list() {
      requireRecovered()
      const keys = new Set([...(await sitesOnDisk()), ...supervisors.keys()])
      return Promise.all(
        [...keys].sort().map(async (key) => ({
          key,
          applied: await readApplied(layout.site(key)),
          running: Boolean(supervisors.get(key)?.current()),
        })),
      )
    },

    async answers({ key, hosts }) {
      const answers = await Promise.all(hosts.map((host) => health.answers(host, key)))
      return answers.every(Boolean)
    },

    async metadata({ key }) {
      const version =
        supervisors.get(key)?.current()?.record.version ?? requireRecovered().launcher.version
      return [
        { key: 'cms_version', value: `Slipway Site ${version}` },
        { key: 'database_version', value: 'Flat file 1' },
      ]
    },

    async check() {
      requireRecovered()
      await checkMachine(layout, gateway)
    },

    async close() {
      closed = true
      clearTimeout(logTimer)
      const stops = [...supervisors].map(([key, supervisor]) =>
        lock(key, () => supervisor.stop(stopGraceMs)),
      )
      await Promise.all([...stops, health.close()])
    },
  }
}

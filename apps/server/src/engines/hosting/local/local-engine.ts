import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FileLock } from '../../../file-lock.ts'
import type { Log } from '../../../log.ts'
import { root } from '../../../root.ts'
import {
  type ApplyOptions,
  CapacityError,
  type HostingEngine,
  type Instance,
  MissingDataError,
  type RuntimeSupport,
} from '../engine.ts'
import { createLayout, isKey, sitesOnDisk } from './files/layout.ts'
import { createKeyedLock } from './keyed-lock.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { type Accounts, createAccounts } from './machine/accounts.ts'
import { createCapacity, sitesForMemory } from './machine/capacity.ts'
import { checkMachine, prepareFolders, prepareNode } from './machine/machine.ts'
import { lockSites } from './machine/sites-lock.ts'
import { readProcessRecord } from './process/process-record.ts'
import {
  deleteSiteFolders,
  forgetApplied,
  hasData,
  prepareSiteFolders,
  readApplied,
  rememberAccounts,
  writeApplied,
} from './process/site-folder.ts'
import {
  createSiteLauncher,
  type Limits,
  releaseOf,
  type SiteLauncher,
  untilListening,
} from './process/site-launcher.ts'
import { createSiteOutput, type OutputLog } from './process/site-output.ts'
import { adoptSiteProcess } from './process/site-process.ts'
import { stopRecordedSites } from './process/stop-sites.ts'
import { deleteOldReleases, installRelease } from './release/release.ts'
import { starterRuntime } from './runtimes/starter.ts'
import { staticRuntime } from './runtimes/static.ts'
import { defaultHangRules, type HangRules, respondsAt } from './supervisor/hang-watch.ts'
import { createHealthCheck, type Gateway } from './supervisor/health-check.ts'
import { type Backoff, createSupervisor, type Supervisor } from './supervisor/supervisor.ts'

export type LocalEngineOptions = {
  /** Absolute. */
  dataDir: string
  /** Where the site gateway listens; read at each use. */
  gateway: Gateway
  log: Log
  /** The Node executable for the sites; the server's own by default. */
  node?: string
  /** The folder of the site's code; the starter site by default. */
  siteSource?: string
  limits?: Partial<Limits>
  /** The maximum number of sites; as many as the memory holds by default. */
  siteLimit?: number | undefined
  backoff?: Partial<Backoff>
  hang?: Partial<HangRules>
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  stopGraceMs?: number
  /** Where the output of the sites goes; nowhere by default. */
  output?: OutputLog
  /** Interval between looks at what the sites print, in milliseconds. */
  logCheckMs?: number
}

const starterSite = join(root, 'apps/site')
const defaultLimits: Limits = { heapMiB: 64, fileBytes: 32 * 2 ** 20 }
const defaultBackoff: Backoff = { initialMs: 100, maxMs: 30_000, resetAfterMs: 60_000 }

/** What this engine runs, in the order that the console offers. */
const runtimes: readonly RuntimeSupport[] = [starterRuntime, staticRuntime]

const noOutput: OutputLog = { add: () => undefined, flush: async () => undefined }

/** The maximum number of concurrent hang checks. */
const concurrentHangChecks = 8

/** The maximum number of sites whose files are read at once. */
const concurrentReads = 32

/** The maximum number of sites that start at once: a start takes the processor for about a second. */
const concurrentStarts = Math.max(2, availableParallelism() * 2)

/** True for an instance that needs a process: not one that the gateway serves, or that is stopped. */
const hasProcess = ({ runtime, power }: Instance) => runtime !== 'static' && power === 'running'

type Started = { accounts: Accounts; launcher: SiteLauncher }

/**
 * Runs each site as a Node process on this machine, under Node's permission model and, when the
 * server is root, as its own user.
 */
export const createLocalEngine = (options: LocalEngineOptions): HostingEngine => {
  const { gateway, log, stopGraceMs = 5_000, logCheckMs = 500 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const backoff = { ...defaultBackoff, ...options.backoff }
  const hang = { ...defaultHangRules, ...options.hang }
  const layout = createLayout(options.dataDir)
  const locks = createKeyedLock()
  const hangChecks = createLimiter(concurrentHangChecks)
  const starts = createLimiter(concurrentStarts)
  const capacity = createCapacity(options.siteLimit ?? sitesForMemory(), log)
  const health = createHealthCheck(() => gateway)
  const output = createSiteOutput(options.output ?? noOutput, log)
  const supervisors = new Map<string, Supervisor>()
  const recovering = new Set<string>()
  let unscanned: string[] = []
  const closing = new AbortController()
  let starting: Promise<void> | null = null
  let isWaiting = false
  let cleaning = Promise.resolve()
  let sitesLock: FileLock | null = null
  let started: Started | null = null
  let logTimer: NodeJS.Timeout | undefined

  const requireStarted = (): Started => {
    if (closing.signal.aborted) throw new Error('The hosting engine is closed')
    if (!started) throw new Error('The hosting engine has not started')
    return started
  }

  const launch = async (key: string) => {
    const release = await starts.acquire()
    try {
      const { accounts, launcher } = requireStarted()
      const files = layout.site(key)
      // Its data was created when it was applied; a restart never starts it empty.
      const account = await prepareSiteFolders(key, files, accounts, { mayCreate: false })
      await output.finish(key, files.log)
      const process = await launcher.start(files, account)
      log.info({ key, pid: process.record.pid, version: process.record.version }, 'A site started')
      // The caller does not wait; the next site may start once this one listens.
      void untilListening(files.socket, process.exited, closing.signal).finally(() => {
        capacity.started(key)
        release()
      })
      return process
    } catch (error) {
      capacity.started(key)
      release()
      throw error
    }
  }

  const supervisorOf = (key: string): Supervisor => {
    let supervisor = supervisors.get(key)
    if (!supervisor) {
      supervisor = createSupervisor({
        key,
        launch: () => launch(key),
        exclusively: (task) => locks.exclusively(key, task),
        responds: () => hangChecks.run(() => respondsAt(layout.site(key).socket, hang.timeoutMs)),
        backoff,
        hang,
        closing: closing.signal,
        log,
      })
      supervisors.set(key, supervisor)
    }
    return supervisor
  }

  const recover = async (key: string, reads: Limiter) => {
    if (closing.signal.aborted) return
    const { applied, process } = await reads.run(async () => {
      const files = layout.site(key)
      const record = await readProcessRecord(files.process)
      return {
        applied: await readApplied(files),
        process: record && (await adoptSiteProcess(record)),
      }
    })
    if (process) {
      capacity.add(key)
      supervisorOf(key).adopt(process, applied !== null && hasProcess(applied))
      log.info({ key, pid: process.record.pid }, 'A running site was adopted')
    } else if (applied && hasProcess(applied) && !closing.signal.aborted) {
      capacity.admit(key)
      await supervisorOf(key).ensureRunning()
    }
  }

  /** Recovers all sites concurrently; calls for a site wait for it, because it has its lock. */
  const recoverAll = (keys: readonly string[]) => {
    const reads = createLimiter(concurrentReads)
    for (const key of keys) recovering.add(key)
    return Promise.all(
      keys.map((key) =>
        locks
          .exclusively(key, () => recover(key, reads))
          .catch((error: unknown) => {
            // One broken site does not block the others; the reconciler applies it again.
            if (closing.signal.aborted || error instanceof CapacityError) return
            log.error({ key, err: error }, 'A site could not be recovered')
          })
          .finally(() => recovering.delete(key)),
      ),
    )
  }

  const collectOutput = () =>
    output.collect(new Map([...supervisors.keys()].map((key) => [key, layout.site(key).log])))

  const watchLogs = () => {
    if (closing.signal.aborted) return
    logTimer = setTimeout(() => {
      collectOutput()
        .catch((error: unknown) => log.error({ err: error }, 'The output of sites was not read'))
        .finally(watchLogs)
    }, logCheckMs)
    logTimer.unref()
  }

  const releasesInUse = (current: string) => {
    const launches = [...supervisors.values()].map((one) => one.current()?.record.launch ?? '')
    return new Set([current, ...launches.map(releaseOf)])
  }

  const forget = (key: string) => {
    supervisors.delete(key)
    capacity.remove(key)
  }

  const apply = async (instance: Instance, { mayCreate, report }: ApplyOptions) => {
    const { accounts, launcher } = requireStarted()
    const { key } = instance
    report?.('prepare')
    const files = layout.site(key)
    if (!mayCreate && !(await hasData(files))) {
      // Its record went with the folder: left alone, the process would be nobody's.
      await supervisors.get(key)?.stop(stopGraceMs)
      forget(key)
      throw new MissingDataError(`The data of ${key} is missing: ${files.data}`)
    }
    if (hasProcess(instance)) capacity.admit(key)
    await rememberAccounts([key], layout, accounts)
    const account = await prepareSiteFolders(key, files, accounts, { mayCreate })
    const supervisor = supervisorOf(key)
    const before = await readApplied(files)
    // Before it is written: a server that is killed here restarts the site again.
    if (before && before.restarts !== instance.restarts) await supervisor.stop(stopGraceMs)
    await writeApplied(files, instance, account)

    report?.('start')
    if (!hasProcess(instance)) {
      await supervisor.stop(stopGraceMs)
      return forget(key)
    }
    const running = supervisor.current()
    if (running && running.record.launch !== launcher.launch) await supervisor.stop(stopGraceMs)
    await supervisor.ensureRunning()
  }

  /** All sites with a folder or a process. */
  const knownKeys = async () => new Set([...(await sitesOnDisk(layout)), ...supervisors.keys()])

  const observe = async (key: string) => {
    const files = layout.site(key)
    const applied = (await hasData(files)) ? await readApplied(files) : null
    // Leftovers of a removal are recovered too, but no process follows.
    const isRecovering = applied !== null && recovering.has(key)
    const isRunning = isRecovering || Boolean(supervisors.get(key)?.current())
    // The gateway serves a static site: nothing of it can stop.
    return { key, applied, running: isRunning || applied?.runtime === 'static' }
  }

  const remove = async (key: string) => {
    const { accounts } = requireStarted()
    const files = layout.site(key)
    await forgetApplied(files)
    await supervisors.get(key)?.stop(stopGraceMs)
    await deleteSiteFolders(files)
    forget(key)
    accounts.release(key)
  }

  const start = async (signal: AbortSignal) => {
    const accounts = await createAccounts()
    await prepareFolders(layout, accounts)
    sitesLock = await lockSites(layout.lock, signal, () => {
      isWaiting = true
      log.warn({ folder: layout.root }, 'Another server runs the sites here: waiting for its end')
    })
    isWaiting = false
    const node = await prepareNode(layout, accounts, options.node ?? process.execPath)
    const source = options.siteSource ?? starterSite
    const release = await installRelease(process.execPath, source, layout.releases)
    const keys = await sitesOnDisk(layout)
    await rememberAccounts(keys, layout, accounts)
    signal.throwIfAborted()

    started = { accounts, launcher: createSiteLauncher(node, release, limits) }
    // Before recovery ends, a site may run from a release that nobody has named yet.
    cleaning = recoverAll(keys)
      .then(() => deleteOldReleases(layout.releases, releasesInUse(release.id)))
      .catch((error: unknown) => log.error({ err: error }, 'Old releases could not be deleted'))
    watchLogs()
  }

  return {
    name: 'local',
    steps: ['prepare', 'start'],

    async start(signal) {
      if (starting || closing.signal.aborted)
        throw new Error('The hosting engine has already started')
      starting = start(AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]))
      await starting
    },

    async apply(instance, options) {
      layout.site(instance.key)
      await locks.exclusively(instance.key, () => capacity.within(() => apply(instance, options)))
    },

    async remove(key) {
      if (isKey(key)) await locks.exclusively(key, () => remove(key))
    },

    capabilities: () => runtimes.map(({ id, detect }) => ({ id, ...detect() })),

    checkRelease: (id, manifest) =>
      runtimes.find((runtime) => runtime.id === id)?.check(manifest) ?? null,

    addressOf(key) {
      const { socket, data } = layout.site(key)
      return { socketPath: socket, dataFolder: data }
    },

    async list(keys) {
      requireStarted()
      const listed = keys?.filter(isKey) ?? [...(await knownKeys())].sort()
      const reads = createLimiter(concurrentReads)
      return Promise.all(listed.map((key) => reads.run(() => observe(key))))
    },

    async scan(limit) {
      requireStarted()
      if (unscanned.length === 0) unscanned = [...(await knownKeys())]
      return unscanned.splice(0, limit)
    },

    async isHealthy({ key, hosts, runtime }) {
      const check = runtime === 'static' ? health.isRouted : health.answers
      const answers = await Promise.all(hosts.map((host) => check(host, key)))
      return answers.every(Boolean)
    },

    async metadata({ key, runtime }) {
      if (runtime === 'static') return []
      const version =
        supervisors.get(key)?.current()?.record.version ?? requireStarted().launcher.version
      return [
        { key: 'cms_version', value: `Slipway Site ${version}` },
        { key: 'database_version', value: 'Flat file 1' },
      ]
    },

    async check() {
      if (isWaiting && !closing.signal.aborted) return
      requireStarted()
      await checkMachine(layout, gateway)
    },

    async close({ stopSites } = { stopSites: false }) {
      closing.abort()
      clearTimeout(logTimer)
      await starting?.catch(() => undefined)
      await Promise.all([locks.idle(), cleaning])
      if (stopSites && sitesLock) {
        await Promise.all([...supervisors.values()].map((one) => one.stop(stopGraceMs)))
        await stopRecordedSites(layout, stopGraceMs)
      }
      const running = [...supervisors.values()].filter((one) => one.current())
      if (running.length > 0)
        log.info({ sites: running.length }, 'The sites keep running; npm stop stops them')
      for (const supervisor of supervisors.values()) supervisor.detach()
      if (started) await collectOutput()
      await output.close()
      await health.close()
      sitesLock?.release()
    },
  }
}

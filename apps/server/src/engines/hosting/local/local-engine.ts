import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Runtime } from '@slipway/contract/runtimes'
import { createArtifactLayout } from '../../../artifacts/artifact-layout.ts'
import type { FileLock } from '../../../file-lock.ts'
import { createLimiter } from '../../../limiter.ts'
import { steadyTime } from '../crashes.ts'
import {
  type ApplyOptions,
  type ContentArchive,
  DiskFullError,
  type HostingEngine,
  type Instance,
  MissingDataError,
  type ReleaseProblem,
  type StageOptions,
  UnhealthyError,
  type WakeResult,
} from '../engine.ts'
import { createHealthCheck } from '../health-check.ts'
import { createKeyedLock } from '../keyed-lock.ts'
import { createRunningCopies } from '../running-copies.ts'
import { readCapabilities, writeCapabilities } from './capabilities.ts'
import { copyContent, isEmpty, packContent, unpackContent } from './content.ts'
import { createDiskQuota, defaultDiskLimits, type SiteProcesses } from './disk/disk-quota.ts'
import { createEgress } from './egress/egress-proxy.ts'
import { createSiteAddress } from './egress/own-address.ts'
import { createServiceCalls } from './egress/service-calls.ts'
import { createLayout, isKey, sitesOnDisk } from './files/layout.ts'
import { createLaunches, defaultLaunchTimes, type StartedMachine } from './launches.ts'
import {
  defaultBackoff,
  defaultLimits,
  defaultRetryWaits,
  type LocalEngineOptions,
  noOutput,
} from './local-engine-options.ts'
import { type Account, type Accounts, createAccounts } from './machine/accounts.ts'
import { createCapacity, sitesForMemory } from './machine/capacity.ts'
import { checkMachine, prepareFolders, shareSockets } from './machine/machine.ts'
import { lockSites } from './machine/sites-lock.ts'
import { createPictures } from './pictures/pictures.ts'
import {
  deleteSiteFolders,
  hasData,
  prepareSiteFolders,
  readApplied,
  registerAccounts,
  removeApplied,
  writeApplied,
} from './process/site-folder.ts'
import { launchIdOf, releaseOf, socketOf } from './process/site-launcher.ts'
import { tellsOutOfMemory } from './process/site-log.ts'
import { createSiteOutput } from './process/site-output.ts'
import type { SiteProcess } from './process/site-process.ts'
import { stopRecordedSites } from './process/stop-sites.ts'
import { concurrentReads, createRecovery } from './recovery.ts'
import type { LocalRuntime } from './runtimes/runtime.ts'
import { createRuntimes } from './runtimes/runtimes.ts'
import { createSchedules } from './schedules.ts'
import { setUpMachine } from './set-up-machine.ts'
import { createSleep } from './sleep/sleep.ts'
import { requestWakeUp, serveWakeUps } from './sleep/wake-socket.ts'
import { defaultHangRules } from './supervisor/hang-watch.ts'
import { requestAt } from './supervisor/readiness.ts'
import { createRetryWaits } from './supervisor/retry-waits.ts'
import { createSupervisor, type Supervisor } from './supervisor/supervisor.ts'

const concurrentHangChecks = 8

/** A start takes a processor for about a second. */
const defaultConcurrentStarts = Math.max(2, availableParallelism() * 2)

/**
 * Runs each site as processes on this machine, as its own user when the server is root. Runtimes
 * differ only in `runtimes`.
 */
export const createLocalEngine = (options: LocalEngineOptions): HostingEngine => {
  const { gateway, gatewayPorts = {}, log } = options
  const times = { ...defaultLaunchTimes, ...options.times }
  const { stopGraceMs } = times
  const limits = { ...defaultLimits, ...options.limits }
  const backoff = { ...defaultBackoff, ...options.backoff }
  const hang = { ...defaultHangRules, ...options.hang }
  const layout = createLayout(options.dataDir)
  const locks = createKeyedLock()
  const hangChecks = createLimiter(concurrentHangChecks)
  const starts = options.starts ?? createLimiter(defaultConcurrentStarts)
  const capacity = createCapacity(options.siteLimit ?? sitesForMemory(), log, options.freeMemory)
  const health = createHealthCheck(() => gateway)
  const output = createSiteOutput(options.output ?? noOutput, log)
  const retryWaits = createRetryWaits({ ...defaultRetryWaits, ...options.retryWaits })
  const supervisors = new Map<string, Supervisor>()
  let unscanned: string[] = []
  const closing = new AbortController()
  const copies = createRunningCopies(closing.signal)
  let starting: Promise<void> | null = null
  let isWaiting = false
  /** Resolves when the engine has started, or waits for another server. */
  const startDecided = Promise.withResolvers<void>()
  let cleaning = Promise.resolve()
  let sitesLock: FileLock | null = null
  let started: StartedMachine | null = null
  let wakeUps: { close(): Promise<void> } | null = null
  const artifacts = createArtifactLayout(options.dataDir)
  const artifactFolder = (artifact: string) => artifacts.artifact(artifact).files
  const sendEmail = options.sendEmail ?? (async () => 'this service sends no emails for sites')
  const { mayConnect, nameServers } = options
  const serviceCalls = createServiceCalls({ consoleUrl: options.consoleUrl ?? (() => ''), log })
  const egress = createEgress({ log, mayConnect, nameServers, sendEmail, serviceCalls })
  const openEgress = (key: string, account: Account | null) => {
    const files = layout.site(key)
    // Without file descriptors nothing is known of its names.
    const hosts = async () => (await readApplied(files).catch(() => null))?.hosts ?? []
    const ownAddress = createSiteAddress(key, gateway, gatewayPorts, hosts)
    return egress.open(key, files.egress, account, ownAddress)
  }
  const pictures = createPictures(options.pictures ?? { browser: 'off' }, {
    egress,
    gateway,
    gatewayPorts,
    log,
  })
  const runtimes = createRuntimes({
    starter: limits,
    siteSource: options.siteSource,
    node: options.nodeApps ?? {},
    php: options.php ?? {},
  })

  const requireStarted = (): StartedMachine => {
    if (closing.signal.aborted) throw new Error('The hosting engine is closed')
    if (!started) throw new Error('The hosting engine has not started')
    return started
  }

  const findRuntime = (id: Runtime) => runtimes.find((each) => each.id === id)

  const runtimeOf = ({ runtime: id }: Pick<Instance, 'runtime'>): LocalRuntime => {
    const runtime = findRuntime(id)
    if (!runtime) throw new Error(`This engine does not run ${id}`)
    return runtime
  }

  /** False for an instance that the gateway serves alone. */
  const hasProgram = ({ runtime: id, artifact }: Instance): boolean => {
    const runtime = findRuntime(id)
    return runtime?.launch !== undefined && !(runtime.needsRelease && artifact === null)
  }

  const mayRun = (instance: Instance) => hasProgram(instance) && instance.power === 'running'

  const note = (key: string, text: string) =>
    output
      .add(key, text)
      .catch((err: unknown) => log.warn({ key, err }, 'A line was not added to the log of a site'))

  const launches = createLaunches({
    layout,
    machine: requireStarted,
    runtimeOf,
    artifactFiles: artifacts.artifact,
    openEgress,
    starts,
    capacity,
    closing: closing.signal,
    finishOutput: output.finish,
    note,
    hasFilledDisk: (process) => disks.hasStopped(process),
    times,
    log,
  })

  /** True while a process responds, and for a program without a health check. */
  const responds = async (key: string, process: SiteProcess): Promise<boolean> => {
    const files = layout.site(key)
    // A lack of file descriptors is no reason to restart it.
    const instance = await readApplied(files).catch(() => null)
    if (!instance || !runtimeOf(instance).restartsHanging) return true
    const signal = AbortSignal.timeout(hang.timeoutMs)
    const { probe } = runtimeOf(instance)
    return (await requestAt(socketOf(files, process), probe.path, 'site.invalid', signal)) !== null
  }

  const supervisorOf = (key: string): Supervisor => {
    let supervisor = supervisors.get(key)
    if (!supervisor) {
      supervisor = createSupervisor({
        key,
        launch: () => launches.start(key),
        exclusively: (task) => locks.exclusively(key, task),
        responds: (process) => hangChecks.run(() => responds(key, process)),
        // Unknown without file descriptors: then false.
        tellsOutOfMemory: () => tellsOutOfMemory(layout.site(key).log).catch(() => false),
        backoff,
        steadyMs: options.steadyMs ?? steadyTime,
        hang,
        now: options.now ?? (() => performance.now()),
        note: (text) => note(key, text),
        closing: closing.signal,
        log,
      })
      supervisors.set(key, supervisor)
    }
    return supervisor
  }

  const crashesOf = (key: string) => supervisors.get(key)?.crashes() ?? null

  const sleep = createSleep({
    layout,
    sleepAfterMs: options.sleepAfterMs ?? 0,
    exclusively: (key, task) => locks.exclusively(key, task),
    current: (key) => supervisors.get(key)?.current() ?? null,
    running: () => supervisors.keys(),
    start: (key) =>
      capacity.within(async () => {
        capacity.admit(key)
        try {
          await supervisorOf(key).ensureRunning()
        } catch (error) {
          releaseResources(key)
          throw error
        }
      }),
    async stop(key) {
      await supervisors.get(key)?.stop(stopGraceMs)
      await output.finish(key, layout.site(key).log)
      releaseResources(key)
    },
    hasCandidate: launches.hasCandidate,
    isStarting: launches.isStarting,
    hasCrashed: (key) => crashesOf(key) !== null,
    untilReady: launches.untilReady,
    closing: closing.signal,
    log,
  })

  const sandboxed = () => {
    const keys = new Set([...supervisors.keys(), ...launches.extraProcesses().keys()])
    const inSandbox = (process: SiteProcess | null | undefined) => (process?.group ? process : null)
    const all = [...keys].map((key): [string, SiteProcesses] => {
      const serving = inSandbox(supervisors.get(key)?.current())
      return [key, { serving, checked: inSandbox(launches.extraProcesses().get(key)) }]
    })
    return new Map(all.filter(([, { serving, checked }]) => serving || checked))
  }

  const disks = createDiskQuota({
    layout,
    limits: { ...defaultDiskLimits, ...options.disk },
    running: sandboxed,
    stop: (key) =>
      locks.exclusively(key, async () => {
        if ((await disks.stoppedLaunchId(key)) === null) return
        await launches.stopOthers(key)
        await supervisors.get(key)?.stop(stopGraceMs)
        await output.finish(key, layout.site(key).log)
        releaseResources(key)
      }),
    closing: closing.signal,
    log,
  })

  const recovery = createRecovery({
    layout,
    locks,
    machine: requireStarted,
    launches,
    capacity,
    openEgress,
    supervisorOf,
    sleep,
    disks,
    mayRun,
    closing: closing.signal,
    log,
  })

  const schedules = createSchedules({
    layout,
    supervisors,
    checked: () => launches.extraProcesses().keys(),
    runtimes,
    output,
    logCheckMs: options.logCheckMs ?? 500,
    forkCheckMs: options.forkCheckMs ?? 5_000,
    backgroundMs: options.backgroundMs ?? 300_000,
    closing: closing.signal,
    log,
  })

  const detectAll = () =>
    Promise.all(runtimes.map(async ({ id, detect }) => ({ id, ...(await detect()) })))

  const deleteUnused = async () => {
    const serving = [...supervisors.values()].map(
      (supervisor) => supervisor.current()?.record.launch ?? '',
    )
    const inUse = new Set([...serving, ...launches.candidateIds()].map(releaseOf))
    for (const runtime of runtimes) await runtime.deleteUnused?.(inUse)
  }

  const releaseResources = (key: string) => {
    // Packages of a new release are installed through it.
    if (!launches.isBuilding(key)) void egress.close(key)
    supervisors.delete(key)
    capacity.remove(key)
  }

  const apply = async (instance: Instance, { mayCreate, report }: ApplyOptions) => {
    const { accounts } = requireStarted()
    const { key } = instance
    report?.('prepare')
    const files = layout.site(key)
    if (!mayCreate && !(await hasData(files))) {
      // The record of the process was in the folder: without a stop, the process would be orphaned.
      await launches.stopOthers(key)
      await supervisors.get(key)?.stop(stopGraceMs)
      sleep.remove(key)
      releaseResources(key)
      throw new MissingDataError(`The data of ${key} is missing: ${files.data}`)
    }
    if (mayRun(instance) && !sleep.isAsleep(key)) capacity.admit(key)
    const account = await prepareSite(instance, accounts, { mayCreate })

    report?.('start')
    const store = () => writeApplied(files, instance, account)
    if (mayRun(instance)) {
      const built = await launches.build(instance, account)
      if (built?.problem) throw new UnhealthyError({ ...built.problem, output: built.output })
    }
    const program = mayRun(instance) ? await launches.programOf(instance, account) : null
    if (!program) {
      await store()
      await launches.stopOthers(key)
      await supervisors.get(key)?.stop(stopGraceMs)
      await sleep.clear(key)
      await disks.resetLaunch(key)
      return releaseResources(key)
    }
    const launchId = launchIdOf(program)
    if (sleep.keepsAsleep(key, launchId)) return store()
    const stoppedLaunchId = await disks.stoppedLaunchId(key)
    if (stoppedLaunchId === launchId) {
      await store()
      throw new DiskFullError(`${key} has filled its disk`)
    }
    if (stoppedLaunchId !== null) await disks.allow(key)
    capacity.admit(key)
    const supervisor = supervisorOf(key)
    const running = supervisor.current()
    if (launches.isStaged(key, launchId) || (running && running.record.launch !== launchId)) {
      await launches.replace(instance, program, account, supervisor, store)
      // The process that serves now is healthy: its memory is in use.
      capacity.started(key)
    } else {
      await store()
      await supervisor.ensureRunning()
    }
    await sleep.clear(key)
  }

  /** A process that does not get healthy is started again after a growing wait. */
  const applyUnlessWaiting = async (instance: Instance, options: ApplyOptions) => {
    const { key, runtime, artifact, environment, restarts } = instance
    const attempt = JSON.stringify([runtime, artifact, environment, restarts])
    retryWaits.throwIfWaiting(key, attempt)
    const wasCounted = capacity.has(key)
    try {
      await apply(instance, options)
      retryWaits.clear(key)
    } catch (error) {
      // A site that this change did not start takes no capacity.
      if (!wasCounted && !supervisors.get(key)?.current()) capacity.remove(key)
      if (error instanceof UnhealthyError) {
        retryWaits.record(key, attempt, error)
        // The site's owner reads in the log why the change does not run.
        if (error.problem.output) await output.add(key, error.problem.output)
      }
      throw error
    }
  }

  /** Throws while a process of the site runs, which could write meanwhile. Ends a copy. */
  const requireIdle = async (key: string): Promise<StartedMachine> => {
    const machine = requireStarted()
    await copies.end(key)
    const isRunning = supervisors.get(key)?.current() || launches.extraProcesses().has(key)
    if (isRunning) throw new Error(`A process of ${key} runs: its files may change`)
    return machine
  }

  /** Copies a site that may run. Its start has the lock, so that no removal has begun. */
  const copyRunning = async (key: string, archive: ContentArchive, signal: AbortSignal) => {
    const { done } = await locks.exclusively(key, async () => {
      const machine = requireStarted()
      await copies.end(key)
      const files = layout.site(key)
      if (!(await hasData(files)))
        throw new MissingDataError(`The data of ${key} is missing: ${files.data}`)
      const account = machine.accounts.claim(key)
      return copies.start(key, signal, (ended) =>
        copyContent(machine, files, account, archive, ended),
      )
    })
    await done
  }

  const prepareSite = async (
    { key }: Instance,
    accounts: Accounts,
    options: { mayCreate: boolean },
  ) => {
    await registerAccounts([key], layout, accounts)
    return prepareSiteFolders(key, layout.site(key), accounts, options)
  }

  const stage = async (
    instance: Instance,
    { mayCreate = false, onOutput }: StageOptions,
  ): Promise<ReleaseProblem | null> => {
    if (!mayRun(instance)) return null
    const { key } = instance
    if (!mayCreate && !(await hasData(layout.site(key)))) return { failure: 'data_missing' }
    const account = await locks.exclusively(key, async () => {
      const prepared = await prepareSite(instance, requireStarted().accounts, { mayCreate })
      const files = layout.site(key)
      // A starter site reads its settings there. As stopped, no other server starts it before the
      // first `apply`.
      if (!(await readApplied(files)))
        await writeApplied(files, { ...instance, power: 'stopped' }, prepared)
      return prepared
    })
    const built = await launches.buildBeside(instance, account)
    if (built?.output && !built.problem) onOutput?.(built.output)
    return locks.exclusively(key, async () => {
      requireStarted()
      if (!supervisors.has(key)) void egress.close(key)
      if (built?.problem) return { ...built.problem, output: built.output }
      if (!(await hasData(layout.site(key)))) return { failure: 'not_finished' }
      // A release may delete the files of a site that is stopped for its full disk.
      if ((await disks.stoppedLaunchId(key)) !== null) await disks.allowAttempt(key)
      return capacity.within(() => launches.stage(instance, account, supervisors.get(key)))
    })
  }

  const knownKeys = async () => new Set([...(await sitesOnDisk(layout)), ...supervisors.keys()])

  const observe = async (key: string) => {
    const files = layout.site(key)
    const applied = (await hasData(files)) ? await readApplied(files) : null
    // The leftovers of a removal are recovered too, but get no process.
    const isRecovering = applied !== null && recovery.isRecovering(key)
    const supervisor = supervisors.get(key)
    const hasProcess =
      isRecovering || Boolean(supervisor?.current()) || supervisor?.isRestarting() === true
    const asleep = applied !== null && sleep.isAsleep(key) && !supervisors.has(key)
    // A site that the gateway serves alone always runs.
    const running = hasProcess || asleep || (applied !== null && !hasProgram(applied))
    return { key, applied, running, asleep }
  }

  const remove = async (key: string) => {
    const { accounts } = requireStarted()
    const files = layout.site(key)
    await launches.cancelBuild(key)
    await copies.end(key)
    await removeApplied(files)
    await launches.stopOthers(key)
    await supervisors.get(key)?.stop(stopGraceMs)
    sleep.remove(key)
    releaseResources(key)
    // The output of the site is not read, and no position written, while the folder is deleted.
    await output.closeSite(key)
    await deleteSiteFolders(files)
    retryWaits.clear(key)
    accounts.release(key)
  }

  const start = async (signal: AbortSignal) => {
    if (options.withoutSandbox)
      log.warn({}, 'SANDBOX=off: Node apps read, change and reach all that their user may')
    const accounts = await createAccounts(options.dataDir)
    await prepareFolders(layout, accounts)
    sitesLock = await lockSites(layout.lock, signal, () => {
      isWaiting = true
      startDecided.resolve()
      log.warn({ folder: layout.root }, 'Another server runs the sites here: waiting for its end')
    })
    isWaiting = false
    await shareSockets(layout, accounts)
    const machine = await setUpMachine(layout, accounts, options)
    for (const runtime of runtimes) await runtime.prepare?.(machine)
    await pictures.prepare(machine)
    await writeCapabilities(layout, await detectAll())
    const keys = await sitesOnDisk(layout)
    await registerAccounts(keys, layout, accounts)
    signal.throwIfAborted()

    started = machine
    // Before recovery ends, a site may run from a release that no instance names yet.
    cleaning = recovery
      .recoverAll(keys)
      .then(deleteUnused)
      .catch((error: unknown) => log.error({ err: error }, 'Old releases could not be deleted'))
    wakeUps = await serveWakeUps(layout.wakeSocket, accounts.serviceGroup, wake)
    sleep.start()
    schedules.start()
    void disks.watch()
  }

  const wake = async (key: string): Promise<WakeResult> => {
    // A site that is awake responds during the start, too.
    if (starting && !started && existsSync(layout.site(key).asleep)) await startDecided.promise
    return started && !closing.signal.aborted
      ? sleep.wake(key, recovery.isRecovering(key))
      : requestWakeUp(layout.wakeSocket, key)
  }

  return {
    name: 'local',
    steps: ['prepare', 'start'],

    async start(signal) {
      if (starting || closing.signal.aborted)
        throw new Error('The hosting engine has already started')
      starting = start(AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]))
      await starting.finally(startDecided.resolve)
    },

    async apply(instance, options) {
      layout.site(instance.key)
      await locks.exclusively(instance.key, () =>
        capacity.within(() => applyUnlessWaiting(instance, options)),
      )
    },

    async remove(key) {
      if (isKey(key)) await locks.exclusively(key, () => remove(key))
    },

    stage: (instance, options = {}) => stage(instance, options),

    needsInstall: async (instance) => mayRun(instance) && launches.needsBuild(instance),

    unstage: (key) => locks.exclusively(key, () => launches.unstage(key)),

    hasContent: async (instance) =>
      hasProgram(instance) || !(await isEmpty(layout.site(instance.key).data)),

    exportContent({ key, power }, archive, signal) {
      if (power === 'running') return copyRunning(key, archive, signal)
      return locks.exclusively(key, async () => {
        const machine = await requireIdle(key)
        await packContent(machine, layout.site(key), machine.accounts.claim(key), archive, signal)
      })
    },

    importContent: (instance, content, signal) =>
      locks.exclusively(instance.key, async () => {
        const { key } = instance
        const machine = await requireIdle(key)
        const account = await prepareSite(instance, machine.accounts, { mayCreate: true })
        await unpackContent(machine, layout.site(key), account, content, signal)
      }),

    checkCluster: async () => null,

    isReachable: () => true,

    capabilities: async () => (started ? null : await readCapabilities(layout)) ?? detectAll(),

    servingOf({ runtime: id, artifact }) {
      const runtime = findRuntime(id)
      return runtime?.needsRelease && artifact === null ? null : (runtime?.serving ?? 'http')
    },

    versionOf: async (runtime, artifact) =>
      (await findRuntime(runtime)?.versionOf?.(artifactFolder(artifact))) ?? null,

    checkRelease: (runtime, artifact, manifest) =>
      runtimeOf({ runtime }).check(manifest, artifactFolder(artifact)),

    wake: (key) => (isKey(key) ? wake(key) : Promise.resolve('not_running')),

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

    count() {
      const running = [...supervisors.values()].filter((supervisor) => supervisor.current()).length
      return { running, asleep: sleep.count(), stopped: supervisors.size - running }
    },

    async isHealthy(instance, timeoutMs) {
      const { probe } = runtimeOf(instance)
      const { key, hosts } = instance
      const answers = await Promise.all(
        hosts.map((host) => health.isHealthy(host, key, probe, timeoutMs)),
      )
      return answers.every(Boolean)
    },

    takePicture: (instance) => pictures.take(instance),

    problemOf: (key) => supervisors.get(key)?.problem() ?? null,

    crashesOf,

    async metadata(instance) {
      requireStarted()
      const { key } = instance
      const running = supervisors.get(key)?.current()?.record
      const woken = sleep.isAsleep(key) ? await launches.programOf(instance, null) : null
      return runtimeOf(instance).metadata((running ?? woken)?.version ?? null)
    },

    async check() {
      if (isWaiting && !closing.signal.aborted) return
      requireStarted()
      await checkMachine(layout, gateway)
    },

    async close({ stopSites } = { stopSites: false }) {
      closing.abort()
      schedules.stop()
      await starting?.catch(() => undefined)
      await wakeUps?.close()
      await Promise.all([locks.idle().then(copies.idle), cleaning])
      await Promise.all([launches.close(), pictures.close()])
      if (stopSites && sitesLock) {
        await Promise.all(
          [...supervisors.values()].map((supervisor) => supervisor.stop(stopGraceMs)),
        )
        await stopRecordedSites(layout, stopGraceMs, log)
      }
      const running = [...supervisors.values()].filter((supervisor) => supervisor.current())
      if (running.length > 0)
        log.info({ sites: running.length }, 'The sites keep running; npm stop stops them')
      for (const supervisor of supervisors.values()) supervisor.detach()
      if (started) await schedules.collectOutput()
      await output.close()
      await egress.closeAll()
      await health.close()
      sitesLock?.release()
    },
  }
}

import { rename, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { ArtifactFiles } from '../../../artifacts/artifact-layout.ts'
import type { Limiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import { type Instance, type ReleaseProblem, UnhealthyError } from '../engine.ts'
import { createKeyedLock } from '../keyed-lock.ts'
import type { Layout, SiteFiles } from './files/layout.ts'
import type { Account } from './machine/accounts.ts'
import type { Capacity } from './machine/capacity.ts'
import { prepareSiteFolders, readApplied } from './process/site-folder.ts'
import {
  type LaunchTarget,
  launchIdOf,
  publishSocket,
  removeStaleGroups,
  socketOf,
  startProgram,
} from './process/site-launcher.ts'
import { readLogTail, tellsOutOfMemory } from './process/site-log.ts'
import { siteNotes } from './process/site-notes.ts'
import type { SiteProcess } from './process/site-process.ts'
import { stopRecorded } from './process/stop-sites.ts'
import type { Build, LocalRuntime, Machine, Site, StartedProgram } from './runtimes/runtime.ts'
import type { Cgroups } from './sandbox/cgroup.ts'
import { untilDrained, untilHealthy } from './supervisor/readiness.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

/** The durations of a launch, in milliseconds. */
export type LaunchTimes = {
  /** Until a new process is healthy. */
  healthMs: number
  /** How long a process that is not healthy yet may delay the starts of other sites. */
  startSlotMs: number
  /** How long a new process may respond with errors other than 503 (not ready). */
  steadyErrorMs: number
  /** How long a new process may listen only on another port, such as one for metrics. */
  otherPortMs: number
  /** A replaced process serves for at least this time, so that gateways find the new one. */
  minDrainMs: number
  /** The time that a replaced process has for its last requests. */
  maxDrainMs: number
  /** The time between SIGTERM and SIGKILL. */
  stopGraceMs: number
}

export const defaultLaunchTimes: LaunchTimes = {
  healthMs: 30_000,
  startSlotMs: 5_000,
  steadyErrorMs: 5_000,
  otherPortMs: 10_000,
  minDrainMs: 1_000,
  maxDrainMs: 30_000,
  stopGraceMs: 5_000,
}

/** The machine as the engine found it at its start. */
export type StartedMachine = Machine & { cgroups: Cgroups | null }

type Dependencies = {
  layout: Layout
  machine: () => StartedMachine
  runtimeOf: (instance: Instance) => LocalRuntime
  artifactFiles: (artifact: string) => ArtifactFiles
  /** Opens the proxy of a site. Idempotent. */
  openEgress: (key: string, account: Account | null) => Promise<void>
  starts: Limiter
  capacity: Capacity
  closing: AbortSignal
  /** Moves the output of an ended process to the log of its site, and empties its file. */
  finishOutput: (key: string, path: string) => Promise<void>
  /** Adds a line of the service to the log of a site; never rejects. */
  note: (key: string, text: string) => Promise<void>
  /** True for a process that was stopped because it had filled the disk of its site. */
  hasFilledDisk: (process: SiteProcess) => boolean
  times: LaunchTimes
  log: Log
}

/** A process that runs beside the one that serves. */
type Candidate = { launchId: string; process: SiteProcess }

/** Starts the processes of sites, alone or beside the process that they replace. */
export const createLaunches = (dependencies: Dependencies) => {
  const { layout, machine, runtimeOf, starts, capacity, openEgress, closing, times, log } =
    dependencies
  const builds = createKeyedLock()
  const candidates = new Map<string, Candidate>()
  /** The processes beside the serving ones, by site, healthy or not. */
  const extraProcesses = new Map<string, SiteProcess>()
  const draining = new Map<string, Promise<void>>()
  const building = new Map<string, { cancel: AbortController; done: Promise<unknown> }>()
  /** The starts whose process has not responded yet, by site. */
  const starting = new Map<string, Promise<ReleaseProblem | null>>()

  const siteOf = (instance: Instance, account: Account | null): Site => ({
    instance,
    files: layout.site(instance.key),
    account,
    artifact: instance.artifact === null ? null : dependencies.artifactFiles(instance.artifact),
  })

  /**
   * Builds the files that a program needs; null when they exist, or when the instance has no
   * program. Builds of one artifact run one after the other.
   */
  const build = async (
    instance: Instance,
    account: Account | null,
    signal = closing,
  ): Promise<Build | null> => {
    const runtime = runtimeOf(instance)
    if (!runtime.build || instance.artifact === null) return null
    const site = siteOf(instance, account)
    await openEgress(instance.key, account)
    return builds.exclusively(
      instance.artifact,
      async () =>
        // Another site may have built it meanwhile.
        (await runtime.build?.(site, signal)) ?? null,
    )
  }

  /** The program of an instance; null when nothing of it runs. */
  const programOf = async (
    instance: Instance,
    account: Account | null,
  ): Promise<StartedProgram | null> => {
    const runtime = runtimeOf(instance)
    if (!runtime.launch || (runtime.needsRelease && instance.artifact === null)) return null
    return { ...(await runtime.launch(siteOf(instance, account))), restarts: instance.restarts }
  }

  const startAt = async (program: StartedProgram, target: LaunchTarget) => {
    const { sandbox } = machine()
    if (program.sandboxSettings) await openEgress(target.key, target.account)
    return startProgram(program, target, typeof sandbox === 'string' ? null : sandbox, log)
  }

  const becomesHealthy = (instance: Instance, files: SiteFiles, process: SiteProcess) =>
    untilHealthy(process, socketOf(files, process), runtimeOf(instance), instance, times)

  /** Releases the slot of a start once its process is healthy or has ended, or is slow. */
  const releaseSlotAfter = (response: Promise<unknown>, releaseSlot: () => void) => {
    const isSlow = delay(times.startSlotMs, undefined, { ref: false })
    void Promise.race([response, isSlow]).then(releaseSlot, releaseSlot)
  }

  /** Starts the process of a site that has none. Its socket is published once it responds. */
  const start = async (key: string): Promise<SiteProcess> => {
    // Before replacements: nothing serves the site's visitors meanwhile.
    const releaseSlot = await starts.acquire({ urgent: true })
    try {
      const files = layout.site(key)
      const { accounts } = machine()
      const { serviceGroup } = accounts
      const instance = await readApplied(files)
      if (!instance) throw new Error(`${key} has no settings`)
      // The site's data was created when it was applied; a restart never starts it empty.
      const account = await prepareSiteFolders(key, files, accounts, { mayCreate: false })
      const built = await build(instance, account)
      if (built?.problem) throw new UnhealthyError(built.problem)
      const program = await programOf(instance, account)
      if (!program) throw new Error(`${key} has no program`)
      const paths = { recordPath: files.process, logPath: files.log }
      const target = { key, files, account, serviceGroup, ...paths }
      await dependencies.finishOutput(key, files.log)
      const process = await startAt(program, target)
      log.info({ key, pid: process.record.pid, version: process.record.version }, 'A site started')
      // The caller does not wait.
      const responded = becomesHealthy(instance, files, process).then(async (problem) => {
        if (problem?.failure === 'program_exited' || problem?.failure === 'out_of_memory')
          return problem
        // Published even if unhealthy: visitors see its error page.
        await publishSocket(files, process)
        return problem?.failure === 'unhealthy' ? null : problem
      })
      starting.set(key, responded)
      releaseSlotAfter(responded, releaseSlot)
      void responded
        .catch((err: unknown) => log.error({ key, err }, 'The socket of a site is not published'))
        .finally(() => {
          if (starting.get(key) === responded) starting.delete(key)
          capacity.started(key)
        })
      return process
    } catch (error) {
      capacity.started(key)
      releaseSlot()
      throw error
    }
  }

  /** The most specific problem of an unhealthy process beside the serving one. */
  const explain = async (
    problem: ReleaseProblem,
    { candidateLog }: SiteFiles,
    process: SiteProcess,
  ): Promise<ReleaseProblem> => {
    const { failure } = problem
    if (failure === 'out_of_memory') return problem
    if (dependencies.hasFilledDisk(process)) return { failure: 'disk_full' }
    const hasEnded = failure === 'program_exited'
    if ((hasEnded || failure === 'unhealthy') && (await tellsOutOfMemory(candidateLog)))
      return { failure: 'out_of_memory' }
    const tooManyProcesses = hasEnded
      ? (await process.exited).tooManyProcesses
      : await process.group?.rejectsForks()
    return tooManyProcesses ? { failure: 'too_many_processes' } : problem
  }

  const unstage = async (key: string) => {
    const candidate = candidates.get(key)
    candidates.delete(key)
    await candidate?.process.stop(times.stopGraceMs)
    const files = layout.site(key)
    await rm(files.candidate, { force: true })
    await rm(files.candidateLog, { force: true })
  }

  /** Starts a program beside the running one and waits until it is healthy. */
  const startCandidate = async (
    instance: Instance,
    program: StartedProgram,
    account: Account | null,
  ): Promise<ReleaseProblem | null> => {
    const { key } = instance
    const files = layout.site(key)
    const launchId = launchIdOf(program)
    if (candidates.get(key)?.launchId === launchId) return null
    await unstage(key)
    const { serviceGroup } = machine().accounts
    const paths = { recordPath: files.candidate, logPath: files.candidateLog }
    const target = { key, files, account, serviceGroup, ...paths }
    const releaseSlot = await starts.acquire()
    const process = await startAt(program, target).catch((error: unknown) => {
      releaseSlot()
      throw error
    })
    extraProcesses.set(key, process)
    process.exited.then(() => {
      if (extraProcesses.get(key) === process) extraProcesses.delete(key)
    })
    const { pid, version } = process.record
    log.info({ key, pid, version }, 'A site started beside the one that serves')
    const response = becomesHealthy(instance, files, process)
    releaseSlotAfter(response, releaseSlot)
    const problem = await response
    if (closing.aborted) throw new Error('The hosting engine closes')
    if (problem) {
      const reason = await explain(problem, files, process)
      const output = await readLogTail(files.candidateLog)
      await process.stop(times.stopGraceMs)
      await unstage(key)
      log.info({ key, ...reason }, 'A new process of a site did not get healthy')
      return { ...reason, output }
    }
    const candidate = { launchId, process }
    candidates.set(key, candidate)
    process.exited.then(() => {
      if (candidates.get(key) === candidate) candidates.delete(key)
    })
    return null
  }

  /** Lets a replaced process finish its requests, and stops it. Does not wait for it. */
  const drain = (key: string, files: SiteFiles, process: SiteProcess) => {
    const work = async () => {
      await untilDrained(
        socketOf(files, process),
        { minMs: times.minDrainMs, maxMs: times.maxDrainMs },
        closing,
      )
      const wasKilled = await process.stop(times.stopGraceMs)
      if (wasKilled) await dependencies.note(key, siteNotes.killed(times.stopGraceMs))
      await rm(files.draining, { force: true })
      log.info({ key, pid: process.record.pid }, 'A replaced site ended')
    }
    const started = work()
      .catch((err: unknown) => log.error({ key, err }, 'A replaced process could not be stopped'))
      .finally(() => {
        if (draining.get(key) === started) draining.delete(key)
      })
    draining.set(key, started)
  }

  return {
    build,

    needsBuild: async (instance: Instance): Promise<boolean> =>
      (await runtimeOf(instance).needsBuild?.(siteOf(instance, null))) ?? false,

    programOf,
    start,
    unstage,

    /**
     * Builds a new release without the lock of its site: this may take minutes, in which the site
     * wakes, sleeps and restarts as usual.
     */
    async buildBeside(instance: Instance, account: Account | null): Promise<Build | null> {
      const { key } = instance
      const cancel = new AbortController()
      const done = build(instance, account, AbortSignal.any([closing, cancel.signal]))
      const entry = { cancel, done }
      building.set(key, entry)
      try {
        return await done
      } catch (error) {
        if (!cancel.signal.aborted) throw error
        return { problem: { failure: 'not_finished' }, output: '' }
      } finally {
        if (building.get(key) === entry) building.delete(key)
      }
    },

    isBuilding: (key: string) => building.has(key),

    /** Stops the build of a site that is removed. */
    async cancelBuild(key: string): Promise<void> {
      const entry = building.get(key)
      entry?.cancel.abort()
      await entry?.done.catch(() => undefined)
    },

    /** See `HostingEngine.stage`. `supervisor` is the site's, if the site has run. */
    async stage(
      instance: Instance,
      account: Account | null,
      supervisor: Supervisor | undefined,
    ): Promise<ReleaseProblem | null> {
      const program = await programOf(instance, account)
      if (!program || supervisor?.current()?.record.launch === launchIdOf(program)) return null
      return startCandidate(instance, program, account)
    },

    /**
     * Replaces the running process by a process of this program. The gateway switches to the new
     * one once it is healthy; otherwise throws an `UnhealthyError`, and the old one keeps serving.
     * `beforeSwitch` stores the record of the new process.
     */
    async replace(
      instance: Instance,
      program: StartedProgram,
      account: Account | null,
      supervisor: Supervisor,
      beforeSwitch: () => Promise<void>,
    ): Promise<void> {
      const { key } = instance
      const files = layout.site(key)
      const problem = await startCandidate(instance, program, account)
      if (problem) throw new UnhealthyError(problem)
      const candidate = candidates.get(key)
      if (!candidate) throw new UnhealthyError({ failure: 'program_exited' })
      // One process drains at a time: a site has one file for its record.
      await draining.get(key)
      await beforeSwitch()
      if (supervisor.current()) await rename(files.process, files.draining)
      // The log first: once the record is in place, a restarted server reads the log that it names.
      await rename(files.candidateLog, files.log)
      await rename(files.candidate, files.process)
      await publishSocket(files, candidate.process)
      candidates.delete(key)
      extraProcesses.delete(key)
      const replaced = supervisor.replace(candidate.process)
      const { pid, version } = candidate.process.record
      log.info({ key, pid, version }, 'A site switched to its new process')
      if (replaced) drain(key, files, replaced)
    },

    /** Stops a killed server's processes beside the serving one. */
    async stopLeftovers(key: string): Promise<void> {
      const files = layout.site(key)
      const { cgroups } = machine()
      for (const path of [files.candidate, files.draining]) {
        await stopRecorded(path, cgroups, times.stopGraceMs, log)
        await rm(path, { force: true })
      }
      await removeStaleGroups(key, files, cgroups, log)
    },

    /** Stops all processes of a site except the serving one. */
    async stopOthers(key: string): Promise<void> {
      await unstage(key)
      await draining.get(key)
      const files = layout.site(key)
      await stopRecorded(files.draining, machine().cgroups, times.stopGraceMs, log)
    },

    /** Waits until a process of `start` responds; null when it does, or did before. */
    untilReady: async (key: string): Promise<ReleaseProblem | null> =>
      (await starting.get(key)) ?? null,

    isStarting: (key: string) => starting.has(key),

    /** True when `stage` has started a process to which `apply` has not switched yet. */
    hasCandidate: (key: string) => candidates.has(key),

    /** True when `stage` has started the process of this launch id. */
    isStaged: (key: string, launchId: string) => candidates.get(key)?.launchId === launchId,

    extraProcesses: (): ReadonlyMap<string, SiteProcess> => extraProcesses,

    candidateIds: () => [...candidates.values()].map(({ launchId }) => launchId),

    /** Stops all candidates, and waits for draining processes. `closing` ends their wait. */
    async close(): Promise<void> {
      await Promise.allSettled([...building.values()].map(({ done }) => done))
      await Promise.all([...candidates.keys()].map(unstage))
      await Promise.all(draining.values())
    },
  }
}

export type Launches = ReturnType<typeof createLaunches>

import type { ProjectFailure } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import type { ArtifactFiles } from '../../../artifacts/artifact-layout.ts'
import type { Log } from '../../../log.ts'
import {
  type ApplyOptions,
  type Capability,
  CapacityError,
  type HostingEngine,
  type Instance,
  MissingDataError,
  type ReleaseArchive,
  type ReleaseProblem,
  UnhealthyError,
  type Wakefulness,
} from '../engine.ts'
import { createHealthCheck, type Gateway } from '../health-check.ts'
import { createKeyedLock } from '../keyed-lock.ts'
import { ApiError } from './api/api-error.ts'
import { createCluster } from './api/cluster.ts'
import type { Connection } from './api/connection.ts'
import { type KubeObject, kinds, objectOf } from './api/resources.ts'
import { type AppliedRecord, toAnnotation, withoutSecrets } from './applied-record.ts'
import { type ClusterState, createClusterState } from './cluster-state.ts'
import type { InstanceTable } from './instance-table.ts'
import { createLogFollower, type OutputLog } from './logs/log-follower.ts'
import { nameOf, viewOfObject } from './object-state.ts'
import { annotations, isOurs, names, namespaceOf } from './objects/names.ts'
import {
  namespaceObject,
  type ObjectSettings,
  type ProjectObjects,
  projectObjects,
} from './objects/project-objects.ts'
import type { PodProblem } from './pod-state.ts'
import type { ClusterRuntime, RuntimeImages } from './runtimes/cluster-runtime.ts'
import type { PodProgram } from './runtimes/pod-program.ts'
import { createRuntimes } from './runtimes/runtimes.ts'
import { checkCluster } from './self-check.ts'

export type KubernetesEngineOptions = {
  connection: Connection
  table: InstanceTable
  /** Where the site gateway listens; read at each use. */
  gateway: Gateway
  settings: ObjectSettings
  images: RuntimeImages
  /** The unpacked files of a release on this machine. */
  artifactFiles: (artifact: string) => ArtifactFiles
  /** Packs the files of a release for the pods that run it. */
  prepareArchive: (artifact: string) => Promise<ReleaseArchive>
  /** Where the output of sites goes. */
  output: OutputLog
  /** The time by which the addresses of archives end, in milliseconds. */
  now: () => number
  /**
   * Whether programs of customers may run: where NetworkPolicy is enforced, or all are trusted.
   */
  runsPrograms: boolean
  /** How long a site stays awake after a request, in milliseconds; 0: always. */
  sleepAfterMs: number
  log: Log
  times?: Partial<Times>
}

type Times = {
  /** How long a change of a running instance may take to get healthy. */
  changeMs: number
  /** How long the pod before may take to begin to end. */
  replacementMs: number
  /** How long a removal waits for the namespace to end. */
  removalMs: number
  /** How long a request waits for a site that wakes. */
  wakeMs: number
  /** How often the engine looks for instances that may sleep. */
  sleepCheckMs: number
  /** Between the background work of running sites. */
  backgroundMs: number
  /** How long the start waits for the API server before it continues without it. */
  startMs: number
}

const defaultTimes: Times = {
  changeMs: 120_000,
  replacementMs: 30_000,
  removalMs: 60_000,
  wakeMs: 60_000,
  sleepCheckMs: 5_000,
  backgroundMs: 300_000,
  startMs: 10_000,
}

const outputLines = 20
const idleBatch = 200
const backgroundTimeoutMs = 60_000
/** A lease of a site that never sleeps. */
const longLeaseMs = 10 * 365 * 86_400_000
/** The address of a release's files is renewed when it ends within this time. */
const renewArchiveMs = 86_400_000

/** What the pods of an instance run, and the files of its release. */
type Plan = { program: PodProgram; archive: ReleaseArchive | null }

/** Runs each site as a Deployment in its own namespace (decision 65). */
export function createKubernetesEngine(options: KubernetesEngineOptions): HostingEngine {
  const { connection, table, gateway, settings, runsPrograms, sleepAfterMs, now, log } = options
  const times = { ...defaultTimes, ...options.times }
  const { installation } = settings
  const runtimes = new Map<Runtime, ClusterRuntime>(
    createRuntimes(options.images, settings.pods.size).map((runtime) => [runtime.id, runtime]),
  )
  const leaseMs = sleepAfterMs > 0 ? sleepAfterMs : longLeaseMs
  const closing = new AbortController()
  const cluster = createCluster({ connection, closing: closing.signal })
  const locks = createKeyedLock()
  const health = createHealthCheck(() => gateway)
  const follower = createLogFollower({
    cluster,
    container: names.site,
    output: options.output,
    log,
  })
  const waiting = new Map<string, Set<() => void>>()
  let state: ClusterState | null = null
  let unscanned: string[] = []
  let sleepTimer: NodeJS.Timeout | undefined
  let backgroundTimer: NodeJS.Timeout | undefined

  const notify = (key: string) => {
    for (const wake of waiting.get(key) ?? []) wake()
  }

  const requireState = (): ClusterState => {
    if (closing.signal.aborted) throw new Error('The hosting engine is closed')
    if (!state) throw new Error('The hosting engine has not started')
    if (!state.isSynced()) throw new Error('The Kubernetes cluster does not respond yet')
    return state
  }

  /** Calls `look` after each change of an instance until it returns a value; null if it is late. */
  async function untilSeen<Value>(
    key: string,
    timeoutMs: number,
    look: () => Value | undefined,
  ): Promise<Value | null> {
    const found = look()
    if (found !== undefined) return found
    return new Promise((resolve) => {
      const watchers = waiting.get(key) ?? new Set<() => void>()
      const end = (value: Value | null) => {
        clearTimeout(timer)
        closing.signal.removeEventListener('abort', stop)
        watchers.delete(check)
        if (watchers.size === 0) waiting.delete(key)
        resolve(value)
      }
      const check = () => {
        const value = look()
        if (value !== undefined) end(value)
      }
      const stop = () => end(null)
      const timer = setTimeout(stop, timeoutMs)
      closing.signal.addEventListener('abort', stop)
      watchers.add(check)
      waiting.set(key, watchers)
    })
  }

  /** The Deployment of a project. */
  const siteOf = (key: string): KubeObject =>
    objectOf(kinds.Deployment, { name: names.site, namespace: namespaceOf(installation, key) })

  const runtimeOf = ({ runtime: id }: Pick<Instance, 'runtime'>): ClusterRuntime => {
    const runtime = runtimes.get(id)
    if (!runtime) throw new Error(`The Kubernetes engine does not run ${id}`)
    return runtime
  }

  /** Null for an instance without a program: the gateway serves it alone. */
  async function planOf(instance: Instance): Promise<Plan | null> {
    const runtime = runtimeOf(instance)
    const { artifact } = instance
    if (!runtime.program || (runtime.needsRelease && artifact === null)) return null
    if (!runtime.hasImage) throw new Error(`No image is set for the runtime ${runtime.id}`)
    const files = artifact === null ? null : options.artifactFiles(artifact)
    const program = await runtime.program(instance, files)
    const { release } = program
    return { program, archive: release && (await options.prepareArchive(release.artifact)) }
  }

  /** Stores where the instance accepts requests, as far as the watch of the pods knows. */
  const publish = async (key: string) => {
    const pod = state?.servingPod(key)
    const address = pod?.host ? { host: pod.host, port: pod.port } : null
    await table.publish(key, address)
  }

  const publishLater = (key: string) => {
    publish(key).catch((err: unknown) =>
      log.warn({ err, key }, 'The address of a site could not be stored'),
    )
  }

  /** Gives the Deployment as many pods as the instance's sleep says. */
  const scale = (key: string) =>
    locks.exclusively(key, async () => {
      const { deployment } = requireState().project(key)
      const entry = table.find(key)
      if (!entry || !deployment || closing.signal.aborted) return
      const replicas = entry.state === 'asleep' ? 0 : 1
      if (replicas === 0) state?.leave(key)
      if (deployment.replicas === replicas) return
      await cluster.merge(siteOf(key), { spec: { replicas } })
    })

  const scaleLater = (key: string) => {
    scale(key).catch((err: unknown) => {
      if (!closing.signal.aborted) log.warn({ err, key }, 'A site could not be woken or stopped')
    })
  }

  table.onChange((key) => {
    if (key === null) return
    notify(key)
    // Only the process that runs the engine has a state.
    if (state?.isSynced() && table.find(key)?.state !== 'awake') scaleLater(key)
  })

  const watchSleep = () => {
    if (closing.signal.aborted) return
    sleepTimer = setTimeout(() => {
      Promise.resolve(state?.isSynced() ? table.takeIdle(idleBatch) : [])
        .catch((err: unknown) => log.warn({ err }, 'Sites could not be put to sleep'))
        .finally(watchSleep)
    }, times.sleepCheckMs)
    sleepTimer.unref()
  }

  /** Work of the running sites that no visitor starts, one site after the other. */
  async function runBackground() {
    for (const key of state?.isSynced() ? state.keys() : []) {
      const address = table.find(key)?.address
      const instance = state?.namespace(key)?.record?.instance
      const work = instance && runtimes.get(instance.runtime)?.background
      if (!address || !work || closing.signal.aborted) continue
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(backgroundTimeoutMs)])
      await work(address, instance, signal).catch((err: unknown) =>
        log.warn({ err, key }, 'The background work of a site failed'),
      )
    }
  }

  const scheduleBackground = () => {
    if (closing.signal.aborted) return
    backgroundTimer = setTimeout(
      () => void runBackground().finally(scheduleBackground),
      times.backgroundMs,
    )
    backgroundTimer.unref()
  }

  /** The namespace of an instance as the API server has it, which must be ours or absent. */
  async function readNamespace(key: string): Promise<KubeObject | null> {
    const name = namespaceOf(installation, key)
    const namespace = await cluster.read(kinds.Namespace, name)
    if (namespace && !isOurs(installation, namespace.metadata))
      throw new Error(`The namespace ${name} exists, but is not of this installation`)
    return namespace
  }

  /** Writes the objects that differ from what was applied; resolves with their digests. */
  async function writeObjects({ objects }: ProjectObjects, record: AppliedRecord | null) {
    const current = requireState()
    const written: AppliedRecord['objects'] = {}
    for (const object of objects) {
      const name = nameOf({ kind: object.kind, name: object.metadata.name })
      const intent = object.metadata.annotations?.[annotations.intent] ?? ''
      const before = record?.objects[name]
      const found = current.object(object)
      const isSame =
        before?.intent === intent && found?.intent === intent && found.content === before.content
      if (isSame && before) written[name] = before
      else {
        const applied = viewOfObject(await cluster.apply(object))
        written[name] = { intent, content: applied.content }
      }
    }
    return written
  }

  /** Deletes what an earlier application left. Volumes stay: they have the data. */
  async function prune(key: string, kept: AppliedRecord['objects']) {
    for (const view of requireState().project(key).objects) {
      if (nameOf(view) in kept || view.kind === kinds.PersistentVolumeClaim.kind) continue
      const { apiVersion } = kinds[view.kind as keyof typeof kinds]
      const { name, namespace, uid } = view
      const metadata = { name, namespace, ...(uid === undefined ? {} : { uid }) }
      await cluster.remove(objectOf({ apiVersion, kind: view.kind }, metadata))
    }
  }

  const writeRecord = (objects: ProjectObjects, record: AppliedRecord) =>
    cluster.apply({
      ...objects.namespace,
      metadata: {
        ...objects.namespace.metadata,
        annotations: { [annotations.applied]: toAnnotation(record) },
      },
    })

  /** The objects of an instance: without a program, only its namespace. */
  function objectsOf(instance: Instance, plan: Plan | null, replicas: 0 | 1): ProjectObjects {
    if (plan) return projectObjects(instance, plan.program, plan.archive, replicas, settings)
    return { namespace: namespaceObject(settings, instance.key), objects: [], launch: '' }
  }

  /** Why the pods of a launch do not accept requests; undefined while nothing says so. */
  const problemOfLaunch = (key: string, launch: string): PodProblem | undefined =>
    requireState()
      .pods(key)
      .find((pod) => pod.launch === launch && !pod.isEnding && pod.problem !== null)?.problem ??
    undefined

  /** Null once a pod of the launch accepts requests; otherwise why it does not. */
  async function untilReady(key: string, launch: string): Promise<ReleaseProblem | null> {
    const current = requireState()
    const isReady = () =>
      current.pods(key).some((pod) => pod.launch === launch && pod.isReady && !pod.isEnding)
    const seen = await untilSeen(key, times.changeMs, () => {
      if (isReady()) return 'ready'
      const problem = problemOfLaunch(key, launch)
      return problem?.isFinal ? problem : undefined
    })
    if (seen === 'ready') return null
    closing.signal.throwIfAborted()
    const problem = seen ?? problemOfLaunch(key, launch)
    const { podFailure } = current.project(key).deployment ?? {}
    if (problem?.kind === 'no_room') throw new CapacityError(problem.detail)
    if (!problem && podFailure !== undefined) throw new CapacityError(podFailure)
    return { ...releaseProblem(problem), ...(await outputOf(key, launch)) }
  }

  /** The last lines that the program of a launch printed, of its end if it ended. */
  async function outputOf(key: string, launch: string): Promise<{ output?: string }> {
    const pod = requireState()
      .pods(key)
      .find((each) => each.launch === launch)
    if (!pod) return {}
    try {
      const previous = pod.restarts > 0 && pod.problem !== null
      const output = await cluster.lastLines(pod.namespace, pod.name, {
        previous,
        lines: outputLines,
      })
      return output === '' ? {} : { output }
    } catch (error) {
      // A container that never ran has printed nothing.
      if (error instanceof ApiError) return {}
      throw error
    }
  }

  async function apply(instance: Instance, { mayCreate, report }: ApplyOptions) {
    const { key } = instance
    const current = requireState()
    report?.('prepare')
    const namespace = await readNamespace(key)
    if (namespace?.metadata.deletionTimestamp !== undefined)
      throw new Error(`The namespace of ${key} is still being deleted`)
    const record = namespace && current.recordOf(namespace)
    const plan = await planOf(instance)
    const hasData = plan !== null && plan.program.dataPath !== null
    if (!mayCreate && record?.hasData && !current.hasVolume(key))
      throw new MissingDataError(`The volume of ${key} is missing`)
    if (!mayCreate && !namespace && hasData)
      throw new MissingDataError(`The namespace of ${key} is missing`)

    const { launch } = objectsOf(instance, plan, 1)
    const isNewLaunch = record?.launch !== launch || record.instance.power === 'stopped'
    const runs = plan !== null && instance.power === 'running'
    if (!runs) await table.remove(key)
    const sleeping = runs
      ? (await table.open(key, { wake: isNewLaunch, leaseMs })) === 'asleep'
      : false
    const objects = objectsOf(instance, plan, runs && !sleeping ? 1 : 0)

    report?.('start')
    if (!namespace) await cluster.apply(objects.namespace)
    const written = await writeObjects(objects, record)
    const next: AppliedRecord = {
      instance: withoutSecrets(instance),
      launch: plan ? launch : null,
      objects: written,
      hasData: (record?.hasData ?? false) || hasData,
      staged: null,
      archiveUntil: plan?.archive?.until ?? null,
    }
    if (JSON.stringify(record) !== JSON.stringify(next)) await writeRecord(objects, next)
    if (!runs || sleeping) return prune(key, written)
    await publish(key)
    // A new instance is waited for by the reconciler, which looks at it through the gateway.
    const serving = current.servingPod(key)
    if (serving && serving.launch !== launch) {
      const problem = await untilReady(key, launch)
      if (problem) throw new UnhealthyError(problem)
      await untilReplaced(key, launch)
    }
    // The pods before may have started again until now.
    await prune(key, written)
  }

  /**
   * Waits until only pods of the launch are left that do not end. A change before that would end a
   * pod that is ready for less than `minReadySeconds` first, and leave the one before it.
   */
  const untilReplaced = (key: string, launch: string) =>
    untilSeen(
      key,
      times.replacementMs,
      () =>
        requireState()
          .pods(key)
          .every((pod) => pod.launch === launch || pod.isEnding) || undefined,
    )

  /** Starts a release beside the running one. */
  async function stage(instance: Instance): Promise<ReleaseProblem | null> {
    const { key } = instance
    const plan = await planOf(instance)
    if (!plan || instance.power !== 'running') return null
    const current = requireState()
    const namespace = await readNamespace(key)
    const record = namespace && current.recordOf(namespace)
    const objects = objectsOf(instance, plan, 1)
    if (record?.launch === objects.launch) return null
    const isFirst = !record || record.launch === null
    if (!namespace) await cluster.apply(objects.namespace)
    if (record) await writeRecord(objects, { ...record, staged: objects.launch })
    const deployed = isFirst ? null : await readDeployment(key)
    await writeObjects(objects, record)
    await table.open(key, { wake: true, leaseMs })
    const problem = await untilReady(key, objects.launch)
    if (problem) await putBack(key, deployed, objects, record)
    else {
      earlier.set(key, { deployed, objects, record })
      await untilReplaced(key, objects.launch)
    }
    return problem
  }

  const readDeployment = (key: string) =>
    cluster.read(kinds.Deployment, names.site, namespaceOf(installation, key))

  /** What served before a staged release, until `apply` or `unstage`. */
  const earlier = new Map<
    string,
    { deployed: KubeObject | null; objects: ProjectObjects; record: AppliedRecord | null }
  >()

  /** Has the pods run what they ran before `stage`; without an earlier release, none. */
  async function putBack(
    key: string,
    deployed: KubeObject | null,
    objects: ProjectObjects,
    record: AppliedRecord | null,
  ) {
    if (deployed) {
      const { template } = deployed.spec as { template: unknown }
      const intent = deployed.metadata.annotations?.[annotations.intent]
      await cluster.merge(siteOf(key), {
        metadata: { annotations: { [annotations.intent]: intent } },
        spec: { template },
      })
    } else {
      await cluster.remove(siteOf(key))
      await table.remove(key)
    }
    if (record) await writeRecord(objects, { ...record, staged: null })
  }

  async function remove(key: string) {
    requireState()
    await table.remove(key)
    earlier.delete(key)
    const namespace = await readNamespace(key)
    if (!namespace) return
    // A namespace that still has pods waits for half of their grace period before it looks again.
    await cluster.remove(siteOf(key))
    await untilSeen(key, times.removalMs, () => state?.pods(key).length === 0 || undefined)
    await cluster.remove(namespace)
    const isGone = () => (state?.namespace(key) === undefined ? true : undefined)
    await untilSeen(key, times.removalMs, isGone)
    if (await cluster.read(kinds.Namespace, namespace.metadata.name))
      throw new Error(`The namespace of ${key} is still being deleted`)
  }

  /** True when everything that was applied is there, and nobody has changed it. */
  function isAsApplied(key: string, record: AppliedRecord): boolean {
    const current = requireState()
    const { objects, deployment } = current.project(key)
    const found = new Map(objects.map((view) => [nameOf(view), view]))
    const isStaging = record.staged !== null && deployment?.launch === record.staged
    const isUnchanged = Object.entries(record.objects).every(([name, { intent, content }]) => {
      const view = found.get(name)
      if (view && isStaging && view.kind === kinds.Deployment.kind) return true
      return view?.intent === intent && view.content === content
    })
    if (record.launch === null || record.instance.power === 'stopped') return isUnchanged
    // A pod that starts elsewhere needs the files of the release again.
    const { archiveUntil } = record
    if (archiveUntil !== null && archiveUntil - now() < renewArchiveMs) return false
    const replicas = table.find(key)?.state === 'asleep' ? 0 : 1
    return isUnchanged && table.find(key) !== undefined && deployment?.replicas === replicas
  }

  const keyOfEveryNamespace = () => requireState().keys()

  async function wake(key: string): Promise<Wakefulness> {
    try {
      const renewed = await table.renew(key, leaseMs)
      if (renewed === undefined) return 'not_running'
      const address = () => table.find(key)?.address ?? undefined
      if (address()) return 'awake'
      if (renewed === 'awake') return 'not_running'
      return (await untilSeen(key, times.wakeMs, address)) ? 'awake' : 'not_running'
    } catch (err) {
      log.warn({ err, key }, 'The lease of a site could not be renewed')
      return 'unknown'
    }
  }

  return {
    name: 'kubernetes',
    steps: ['prepare', 'start'],

    async start() {
      if (state || closing.signal.aborted) throw new Error('The hosting engine has already started')
      await connection.open()
      const starting = createClusterState({
        cluster,
        installation,
        log,
        onChange(key, part) {
          notify(key)
          if (part !== 'pod') return
          publishLater(key)
          follower.update(key, state?.pods(key) ?? [])
        },
      })
      state = starting
      // One cluster that is down holds up nothing else.
      const synced = starting.start().then(
        () => {
          for (const key of starting.keys()) {
            if (table.find(key)) publishLater(key)
            follower.update(key, starting.pods(key))
          }
        },
        (err: unknown) => log.error({ err }, 'The cluster could not be read'),
      )
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, times.startMs)
      })
      await Promise.race([synced, late])
      clearTimeout(timer)
      if (starting.isSynced())
        for (const problem of await checkCluster(cluster, settings))
          log.error({ problem: problem.code }, problem.message)
      if (sleepAfterMs > 0) watchSleep()
      scheduleBackground()
    },

    apply: (instance, applyOptions) =>
      locks.exclusively(instance.key, () => applyAndTell(instance, applyOptions)),

    remove: (key) => locks.exclusively(key, () => remove(key)),

    stage: (instance) => locks.exclusively(instance.key, () => stage(instance)),

    unstage: (key) =>
      locks.exclusively(key, async () => {
        const staged = earlier.get(key)
        earlier.delete(key)
        if (staged) await putBack(key, staged.deployed, staged.objects, staged.record)
      }),

    capabilities: async (): Promise<Capability[]> =>
      [...runtimes.values()].map(({ id, isUntrusted, hasImage }) => ({
        id,
        version: null,
        reason: !hasImage
          ? 'no_runtime_image'
          : isUntrusted && !runsPrograms
            ? 'no_network_policy'
            : null,
      })),

    servingOf(instance) {
      const { serving, needsRelease } = runtimeOf(instance)
      return needsRelease && instance.artifact === null ? null : serving
    },

    versionOf: async (runtime, artifact) =>
      (await runtimeOf({ runtime }).versionOf?.(options.artifactFiles(artifact).files)) ?? null,

    checkRelease: (runtime, artifact, manifest) =>
      runtimeOf({ runtime }).check(manifest, options.artifactFiles(artifact).files),

    wake,

    addressOf: (key) => table.find(key)?.address ?? null,

    async list(keys) {
      const current = requireState()
      return (keys ?? keyOfEveryNamespace()).map((key) => {
        const record = current.namespace(key)?.record ?? null
        return {
          key,
          applied: record?.instance ?? null,
          running: record !== null && isAsApplied(key, record),
          asleep: table.find(key)?.state === 'asleep',
        }
      })
    },

    async scan(limit) {
      if (unscanned.length === 0) unscanned = keyOfEveryNamespace()
      return unscanned.splice(0, limit)
    },

    count() {
      const entries = (state?.keys() ?? []).flatMap((key) => table.find(key) ?? [])
      const asleep = entries.filter((entry) => entry.state === 'asleep').length
      const running = entries.filter((entry) => entry.address !== null).length
      return { running, asleep, stopped: entries.length - running - asleep }
    },

    async isHealthy(instance, timeoutMs) {
      const { key, hosts } = instance
      const probe = runtimeOf(instance).probe(instance)
      const responses = await Promise.all(
        hosts.map((host) => health.answers(host, key, probe, timeoutMs)),
      )
      return responses.every(Boolean)
    },

    // A browser for pages of customers would need pods of its own.
    takePicture: async () => null,

    problemOf(key) {
      const launch = state?.namespace(key)?.record?.launch
      if (!launch || !state?.isSynced()) return null
      const problem = problemOfLaunch(key, launch)
      if (problem) return projectFailures[problem.kind]
      return state.project(key).deployment?.podFailure === undefined ? null : 'quota_exceeded'
    },

    async metadata(instance) {
      return runtimeOf(instance).metadata(instance)
    },

    async check() {
      if (!state && !closing.signal.aborted) throw new Error('The hosting engine has not started')
    },

    async close({ stopSites } = { stopSites: false }) {
      clearTimeout(sleepTimer)
      clearTimeout(backgroundTimer)
      // Sites belong to the cluster: the end of a server ends none of them.
      if (stopSites) log.info({}, 'The sites on Kubernetes keep running')
      closing.abort()
      await follower.close()
      await state?.close()
      await locks.idle()
      await health.close()
      await cluster.close()
    },
  }

  /** Tells a permanent rejection of an instance from a temporary failure of the API. */
  async function applyAndTell(instance: Instance, applyOptions: ApplyOptions) {
    try {
      await apply(instance, applyOptions)
      earlier.delete(instance.key)
    } catch (error) {
      if (error instanceof ApiError && error.failure === 'quota')
        throw new CapacityError(error.message, { cause: error })
      throw error
    }
  }
}

const projectFailures: Record<PodProblem['kind'], ProjectFailure> = {
  image_not_pulled: 'image_not_pulled',
  container_rejected: 'program_crashes',
  program_exited: 'program_crashes',
  out_of_memory: 'out_of_memory',
  release_not_fetched: 'engine_failed',
  no_room: 'no_capacity',
  volume_unbound: 'volume_unbound',
}

function releaseProblem(problem: PodProblem | undefined): ReleaseProblem {
  if (!problem) return { failure: 'not_listening' }
  const { kind, detail } = problem
  // It never comes here: without room there is no attempt.
  if (kind === 'no_room' || kind === 'release_not_fetched') return { failure: 'not_finished' }
  return { failure: kind, detail }
}

import type { ContainerImage } from '@slipway/contract/container-images'
import type { ProjectFailure } from '@slipway/contract/projects'
import type { Log } from '../../../log.ts'
import {
  type ApplyOptions,
  type Capability,
  CapacityError,
  type HostingEngine,
  type Instance,
  MissingDataError,
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
import { nameOf, viewOfObject } from './object-state.ts'
import { annotations, isOurs, names, namespaceOf } from './objects/names.ts'
import {
  type ObjectSettings,
  type ProjectObjects,
  projectObjects,
} from './objects/project-objects.ts'
import type { PodProblem } from './pod-state.ts'
import { checkCluster } from './self-check.ts'

export type KubernetesEngineOptions = {
  connection: Connection
  table: InstanceTable
  /** Where the site gateway listens; read at each use. */
  gateway: Gateway
  settings: ObjectSettings
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
  /** How long the start waits for the API server before it goes on without. */
  startMs: number
}

const defaultTimes: Times = {
  changeMs: 120_000,
  replacementMs: 30_000,
  removalMs: 60_000,
  wakeMs: 60_000,
  sleepCheckMs: 5_000,
  startMs: 10_000,
}

const defaultImageProbe = '/'
const outputLines = 20
const idleBatch = 200
/** A lease of a site that never sleeps. */
const longLeaseMs = 10 * 365 * 86_400_000

/** Runs each site as a Deployment in a namespace of its own. Decision 65 says how. */
export function createKubernetesEngine(options: KubernetesEngineOptions): HostingEngine {
  const { connection, table, gateway, settings, runsPrograms, sleepAfterMs, log } = options
  const times = { ...defaultTimes, ...options.times }
  const { installation } = settings
  const leaseMs = sleepAfterMs > 0 ? sleepAfterMs : longLeaseMs
  const closing = new AbortController()
  const cluster = createCluster({ connection, closing: closing.signal })
  const locks = createKeyedLock()
  const health = createHealthCheck(() => gateway)
  const waiting = new Map<string, Set<() => void>>()
  let state: ClusterState | null = null
  let unscanned: string[] = []
  let sleepTimer: NodeJS.Timeout | undefined

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

  const imageOf = ({ runtime, image }: Instance): ContainerImage | null =>
    runtime === 'image' ? image : null

  /** True for an instance that has a program, not one that the gateway serves alone. */
  const mayRun = (instance: Instance) => imageOf(instance) !== null && instance.power === 'running'

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
  function objectsOf(instance: Instance, replicas: 0 | 1): ProjectObjects {
    const image = imageOf(instance)
    if (image) return projectObjects(instance, image, replicas, settings)
    const placeholder = { reference: '', port: 1, healthPath: '/', userId: 1, dataPath: null }
    const { namespace } = projectObjects(instance, placeholder, 0, settings)
    return { namespace, objects: [], launch: '' }
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
    const image = imageOf(instance)
    if (!mayCreate && record?.hasData && !current.hasVolume(key))
      throw new MissingDataError(`The volume of ${key} is missing`)
    if (!mayCreate && !namespace && image && image.dataPath !== null)
      throw new MissingDataError(`The namespace of ${key} is missing`)

    const { launch } = objectsOf(instance, 1)
    const isNewLaunch = record?.launch !== launch || record.instance.power === 'stopped'
    const runs = mayRun(instance)
    if (!runs) await table.remove(key)
    const sleeping = runs
      ? (await table.open(key, { wake: isNewLaunch, leaseMs })) === 'asleep'
      : false
    const objects = objectsOf(instance, runs && !sleeping ? 1 : 0)

    report?.('start')
    if (!namespace) await cluster.apply(objects.namespace)
    const written = await writeObjects(objects, record)
    await prune(key, written)
    const next: AppliedRecord = {
      instance: withoutSecrets(instance),
      launch: image ? launch : null,
      objects: written,
      hasData: (record?.hasData ?? false) || (image?.dataPath ?? null) !== null,
      staged: null,
    }
    if (JSON.stringify(record) !== JSON.stringify(next)) await writeRecord(objects, next)
    if (!runs || sleeping) return
    await publish(key)
    // A new instance is waited for by the reconciler, which looks at it through the gateway.
    const serving = current.servingPod(key)
    if (!serving || serving.launch === launch) return
    const problem = await untilReady(key, launch)
    if (problem) throw new UnhealthyError(problem)
    await untilReplaced(key, launch)
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
    if (!mayRun(instance)) return null
    const current = requireState()
    const namespace = await readNamespace(key)
    const record = namespace && current.recordOf(namespace)
    const objects = objectsOf(instance, 1)
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
          if (part === 'pod') publishLater(key)
        },
      })
      state = starting
      // One cluster that is down holds up nothing else.
      const synced = starting.start().then(
        () => {
          for (const key of starting.keys()) if (table.find(key)) publishLater(key)
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

    capabilities: async (): Promise<Capability[]> => [
      { id: 'static', version: null, reason: null },
      { id: 'image', version: null, reason: runsPrograms ? null : 'no_network_policy' },
      { id: 'starter', version: null, reason: 'not_on_kubernetes' },
      { id: 'node', version: null, reason: 'not_on_kubernetes' },
      { id: 'php', version: null, reason: 'not_on_kubernetes' },
      { id: 'wordpress', version: null, reason: 'not_on_kubernetes' },
    ],

    servingOf({ runtime, artifact }) {
      if (artifact === null) return null
      return runtime === 'static' ? 'files' : 'http'
    },

    versionOf: async () => null,

    async checkRelease(runtime, _artifact, manifest) {
      if (runtime !== 'static') return { failure: 'runtime_has_no_releases' }
      return manifest.has('index.html') ? null : { failure: 'index_missing' }
    },

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

    async isHealthy(instance) {
      const { key, hosts } = instance
      const path = imageOf(instance)?.healthPath ?? defaultImageProbe
      const probe = { path, isHealthy: (status: number) => status < 500 }
      const responses = await Promise.all(hosts.map((host) => health.answers(host, key, probe)))
      return responses.every(Boolean)
    },

    problemOf(key) {
      const launch = state?.namespace(key)?.record?.launch
      if (!launch || !state?.isSynced()) return null
      const problem = problemOfLaunch(key, launch)
      if (problem) return projectFailures[problem.kind]
      return state.project(key).deployment?.podFailure === undefined ? null : 'quota_exceeded'
    },

    async metadata(instance) {
      const image = imageOf(instance)
      return image ? [{ key: 'runtime_version', value: image.reference }] : []
    },

    async check() {
      if (!state && !closing.signal.aborted) throw new Error('The hosting engine has not started')
    },

    async close({ stopSites } = { stopSites: false }) {
      clearTimeout(sleepTimer)
      // Sites belong to the cluster: the end of a server ends none of them.
      if (stopSites) log.info({}, 'The sites on Kubernetes keep running')
      closing.abort()
      await state?.close()
      await locks.idle()
      await health.close()
      await cluster.close()
    },
  }

  /** An API that rejects an instance for good is told apart from one that fails for a moment. */
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
  no_room: 'no_capacity',
  volume_unbound: 'volume_unbound',
}

function releaseProblem(problem: PodProblem | undefined): ReleaseProblem {
  if (!problem) return { failure: 'not_listening' }
  const { kind, detail } = problem
  // It never comes here: without room there is no attempt.
  if (kind === 'no_room') return { failure: 'not_finished' }
  return { failure: kind, detail }
}

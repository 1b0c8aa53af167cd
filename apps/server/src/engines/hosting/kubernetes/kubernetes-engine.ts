import type { ProjectFailure } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import type { ArtifactFiles } from '../../../artifacts/artifact-layout.ts'
import { createLimiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import {
  type ApplyOptions,
  type Capability,
  ClusterUnreachableError,
  type HostingEngine,
  type Instance,
  MissingDataError,
  type MissingPart,
  type PackageArchives,
  RejectedError,
  type ReleaseArchive,
  type ReleaseProblem,
  UnhealthyError,
  type WakeResult,
} from '../engine.ts'
import { createHealthCheck, type Gateway } from '../health-check.ts'
import { createKeyedLock } from '../keyed-lock.ts'
import { createRunningCopies } from '../running-copies.ts'
import { createAddressPublisher } from './address-publisher.ts'
import { rejectionOf } from './api/api-error.ts'
import { createBreaker } from './api/breaker.ts'
import { createCluster } from './api/cluster.ts'
import { missingApis, readFeatures } from './api/cluster-features.ts'
import type { Connection } from './api/connection.ts'
import { type KubeObject, kinds } from './api/resources.ts'
import { type AppliedRecord, withoutSecrets } from './applied-record.ts'
import { createChangeWaits } from './change-waits.ts'
import { type ClusterState, createClusterState, objectKinds } from './cluster-state.ts'
import { createContentMover } from './content/content-mover.ts'
import { createInstalls, type InstallResult } from './installs.ts'
import type { InstanceTables, NetworkAddress, TableEntry } from './instance-table.ts'
import { createLogFollower, type OutputLog } from './logs/log-follower.ts'
import { nameOf } from './object-state.ts'
import { createObjectWriter } from './object-writer.ts'
import { edgeKinds, routeKind } from './objects/edge-objects.ts'
import type { InstallLimits } from './objects/install-objects.ts'
import { annotations, names, projectLabels, selectorOf } from './objects/names.ts'
import {
  hasNamespaceLabels,
  namespaceObject,
  type ObjectSettings,
  type ProjectObjects,
  policyObject,
  projectObjects,
  type ReleaseFiles,
} from './objects/project-objects.ts'
import { settingsDigest } from './objects/settings-digest.ts'
import { createPodStarts } from './pod-starts.ts'
import type { PodProblem } from './pod-state.ts'
import { createReadiness } from './readiness.ts'
import { errorOfWrite } from './rejections.ts'
import type { ClusterRuntime, GetEmailAccess, RuntimeImages } from './runtimes/cluster-runtime.ts'
import type { PodProgram } from './runtimes/pod-program.ts'
import { createRuntimes } from './runtimes/runtimes.ts'
import { createSchedules } from './schedules.ts'
import { checkCluster } from './self-check.ts'
import { createStaging } from './staging.ts'

export type KubernetesEngineOptions = {
  clusterName: string
  connection: Connection
  tables: InstanceTables
  /** Where the site gateway listens; read at each use. */
  gateway: Gateway
  settings: ObjectSettings
  images: RuntimeImages
  /** The unpacked files of a release on this machine. */
  artifactFiles: (artifact: string) => ArtifactFiles
  /** Packs the files of a release for the pods that run it. */
  prepareArchive: (artifact: string) => Promise<ReleaseArchive>
  packages: PackageArchives
  emailAccess: GetEmailAccess
  /** The instance that a project wants; null without a project. */
  desiredInstance: (key: string) => Promise<Instance | null>
  output: OutputLog
  /** The time in milliseconds, by which the addresses of archives expire. */
  now: () => number
  /** The operator's setting for NetworkPolicy; undefined to test the cluster. */
  networkPolicy: 'enforced' | 'trusted' | undefined
  /** The part that a cluster lacks for customers' programs, by the last check; null for none. */
  missingForPrograms: (clusterName: string) => Promise<MissingPart | null>
  /** How long a site stays awake after a request, in milliseconds; 0: always. */
  sleepAfterMs: number
  log: Log
  installLimits?: Partial<InstallLimits>
  times?: Partial<Times>
}

type Times = {
  /** How long a change of a running instance may take to get healthy. */
  changeMs: number
  /** How long a launch may have no pod before a message that rejects its pods is final. */
  rejectionMs: number
  /** How long the previous pod may take to begin to end. */
  replacementMs: number
  removalMs: number
  /** How long a request waits for a site that wakes. */
  wakeMs: number
  /** How often the engine looks for instances that may sleep. */
  sleepCheckMs: number
  /** How often the engine compares the rows of all instances with the cluster. */
  repairMs: number
  /** The interval between the background work of running sites. */
  backgroundMs: number
  /** The longest time for a pod to report its versions. */
  metadataMs: number
  /** How often all objects of the cluster are listed again: an event may be lost. */
  relistMs: number
  /** How long the start waits for the API server before it continues without it. */
  startMs: number
}

const defaultTimes: Times = {
  changeMs: 120_000,
  rejectionMs: 10_000,
  replacementMs: 30_000,
  removalMs: 60_000,
  wakeMs: 60_000,
  sleepCheckMs: 5_000,
  repairMs: 15_000,
  backgroundMs: 300_000,
  metadataMs: 5_000,
  relistMs: 600_000,
  startMs: 10_000,
}

/** A lease of a site that never sleeps. */
const longLeaseMs = 10 * 365 * 86_400_000
/** The address of a release's files is renewed when it expires within this time. */
const renewArchiveMs = 86_400_000

/** The number of pods of a site that runs or sleeps. */
const replicasFor = ({ state }: TableEntry) => (state === 'asleep' ? 0 : 1)

/** How long a gateway may take to read the address of a site that is awake. */
const addressDelayMs = 1_000
/**
 * The rows that are written at once after events of the cluster. All pods may change together, and
 * requests of users need connections to the database, too.
 */
const rowWritesAtOnce = 4

const isSameAddress = (one: NetworkAddress | null, other: NetworkAddress | null) =>
  one?.host === other?.host && one?.port === other?.port

type Plan = { program: PodProgram; files: ReleaseFiles | null }

/** Runs each site of one cluster as a Deployment in its own namespace (decision 65). */
export function createKubernetesEngine(options: KubernetesEngineOptions): HostingEngine {
  const { clusterName, connection, gateway } = options
  // Without the settings that the cluster is too old for, once its version is known.
  const settings = { ...options.settings, pods: { ...options.settings.pods } }
  const podSettings = settingsDigest(options.settings, options.images)
  const { networkPolicy, now, log } = options
  const { edge } = settings
  // An edge of the operator would not wake a site.
  const sleepAfterMs = edge ? 0 : options.sleepAfterMs
  const sleeps = sleepAfterMs > 0
  const times = { ...defaultTimes, ...options.times }
  const { installation } = settings
  const table = options.tables.of(clusterName)
  const runtimes = new Map<Runtime, ClusterRuntime>(
    createRuntimes(options.images, settings.pods.size, options.emailAccess).map((runtime) => [
      runtime.id,
      runtime,
    ]),
  )
  const leaseMs = sleeps ? sleepAfterMs : longLeaseMs
  const closing = new AbortController()
  const { notify, notifyAll, untilSeen } = createChangeWaits(closing.signal)
  /** Resolves when the breaker opens for the first time: the cluster does not respond. */
  const opened = Promise.withResolvers<void>()
  const breaker = createBreaker({
    name: clusterName,
    connection,
    closing: closing.signal,
    onOpen() {
      notifyAll()
      opened.resolve()
    },
    onClose: () => repairAll(),
    log,
  })
  const clusterOf = (used: Connection) =>
    createCluster({ connection: used, closing: closing.signal })
  const cluster = clusterOf(breaker.calls)
  const watchedCluster = clusterOf(breaker.watches)
  const locks = createKeyedLock()
  const copies = createRunningCopies(closing.signal)
  const health = createHealthCheck(() => gateway)
  const follower = createLogFollower({
    cluster: watchedCluster,
    container: names.site,
    output: options.output,
    log,
  })
  let state: ClusterState | null = null
  let unscanned: string[] = []
  let hasFastNodes = false

  async function learnFeatures() {
    const features = await readFeatures({ cluster: watchedCluster, closing: closing.signal, log })
    const { version, knowsHostUsers, hasUserNamespaces, knowsPreStopSleep } = features
    const cluster = clusterName
    if (settings.pods.userNamespaces && !hasUserNamespaces)
      log.error({ cluster, version }, 'the cluster may run pods without user namespaces')
    settings.pods.userNamespaces &&= knowsHostUsers
    settings.pods.preStopSleep = knowsPreStopSleep
    hasFastNodes = features.hasFastNodes
    const missing = missingApis(features, [...objectKinds, ...edgeKinds(edge)])
    if (missing.length > 0) log.error({ cluster, version, missing }, 'the cluster lacks APIs')
  }

  const requireState = (): ClusterState => {
    if (closing.signal.aborted) throw new Error('The hosting engine is closed')
    if (!state) throw new Error('The hosting engine has not started')
    if (!state.isSynced() || breaker.isOpen())
      throw new ClusterUnreachableError(`The cluster ${clusterName} does not respond`)
    return state
  }
  const isReachable = () => state?.isSynced() === true && !breaker.isOpen()

  const writer = createObjectWriter({ cluster, installation, requireState })
  const readiness = createReadiness({
    cluster,
    requireState,
    untilSeen,
    closing: closing.signal,
    times,
  })
  const starts = createPodStarts({ requireState, untilSeen, hasFastNodes: () => hasFastNodes })
  const content = createContentMover({
    cluster,
    requireState,
    writer,
    settings,
    image: options.images.node,
    closing: closing.signal,
  })
  const staging = createStaging({
    cluster,
    requireState,
    writer,
    readiness,
    starts,
    table,
    namespaceObject: (key) => namespaceObject(settings, key),
    async applyLive(key) {
      const instance = await options.desiredInstance(key)
      if (instance) await apply(instance, { mayCreate: false, rewrites: true })
    },
    leaseMs,
    log,
  })
  const installs = createInstalls({
    cluster,
    requireState,
    untilSeen,
    readNamespace: writer.readNamespace,
    closing: closing.signal,
    settings,
    artifactFiles: options.artifactFiles,
    prepareArchive: options.prepareArchive,
    packages: options.packages,
    limits: options.installLimits,
  })
  const schedules = createSchedules({
    state: () => state,
    isReachable,
    runtimes,
    table,
    repair: () => repairAll(),
    closing: closing.signal,
    log,
    times,
  })

  const runtimeOf = ({ runtime: id }: Pick<Instance, 'runtime'>): ClusterRuntime => {
    const runtime = runtimes.get(id)
    if (!runtime) throw new Error(`The Kubernetes engine does not run ${id}`)
    return runtime
  }

  /** Null for an instance without a program: the gateway serves it alone. */
  async function programOf(instance: Instance): Promise<PodProgram | null> {
    const runtime = runtimeOf(instance)
    const { artifact } = instance
    if (!runtime.program || (runtime.needsRelease && artifact === null)) return null
    if (runtime.lacksImage) throw new Error(`No image is set for the runtime ${runtime.id}`)
    const files = artifact === null ? null : options.artifactFiles(artifact)
    const program = await runtime.program(instance, files)
    // Removed credentials must not start another pod, which could not pull the image.
    return program.needsCredentials || !state?.hasPullSecret(instance.key)
      ? program
      : { ...program, needsCredentials: true }
  }

  const needsPackages = ({ power }: Instance, program: PodProgram | null) =>
    power === 'running' && program?.release?.needsPackages === true

  /** Installs the packages of an instance if its pods need them. Null if they are installed. */
  async function installPackages(instance: Instance): Promise<InstallResult | null> {
    const program = await programOf(instance)
    if (!program?.release || !needsPackages(instance, program)) return null
    return installs.ensure(instance, program.release.artifact, program.image)
  }

  async function planOf(instance: Instance): Promise<Plan | null> {
    const program = await programOf(instance)
    const { release = null, image = '' } = program ?? {}
    if (!program || !release) return program && { program, files: null }
    const { artifact } = release
    const packages = release.needsPackages ? await options.packages.find(artifact, image) : null
    if (!packages && needsPackages(instance, program))
      throw new Error(`The packages of ${instance.key} were removed`)
    return { program, files: { archive: await options.prepareArchive(artifact), packages } }
  }

  /** Where a site accepts requests, by the watch of the pods, which may be late. */
  function addressOf(key: string): NetworkAddress | null {
    const pod = state?.servingPod(key)
    return pod?.host ? { host: pod.host, port: pod.port } : null
  }

  const addresses = createAddressPublisher({ table, addressOf })

  /** True if the row of a site has its address, or gets none, by the table. */
  function isStored(key: string): boolean {
    const entry = table.find(key)
    if (!entry) return true
    return entry.state === 'asleep' ? sleeps : isSameAddress(entry.address, addressOf(key))
  }

  /** Stores the address of a site. Wakes it if no site sleeps: no gateway would do so. */
  async function writeRow(key: string) {
    if (!sleeps && table.find(key)?.state === 'asleep') await table.renew(key, leaseMs)
    else await addresses.publish(key)
  }

  const rowWrites = createLimiter(rowWritesAtOnce)
  /** The sites whose row waits for its write. */
  const unwritten = new Set<string>()
  /** Writes the row of a site once few others are written. */
  const writeRowLater = (key: string) => {
    if (unwritten.has(key)) return
    unwritten.add(key)
    const write = async () => {
      unwritten.delete(key)
      if (!closing.signal.aborted) await writeRow(key)
    }
    rowWrites
      .run(write)
      .catch((err: unknown) => log.warn({ err, key }, 'The address of a site could not be stored'))
  }

  /** Reads what the pods of a site print; one that is over prints nothing more. */
  const followOutput = (key: string) =>
    follower.update(
      key,
      (state?.pods(key) ?? []).filter(({ isOver }) => !isOver),
    )

  /** Scales the Deployment to no pod if the instance sleeps, and otherwise to one. */
  const scale = (key: string) =>
    locks.exclusively(key, async () => {
      const current = requireState()
      const deployment = current.deployment(key)
      const entry = table.find(key)
      if (!entry || !deployment || closing.signal.aborted) return
      const replicas = replicasFor(entry)
      if (replicas === 0) current.drainPods(key)
      // A site that wakes right after it fell asleep may still have its old pods.
      const isWokenEarly = replicas === 1 && current.hasDrainingPods(key)
      if (deployment.replicas === replicas && !isWokenEarly) {
        // Its row was not read while it slept: it has kept its pod, and lost its address.
        if (entry.state === 'waking') await addresses.publish(key)
        return
      }
      if (isWokenEarly) await readiness.untilDrained(key)
      const write = () => cluster.merge(writer.deploymentOf(key), { spec: { replicas } })
      await (replicas === 0
        ? write()
        : starts.limit(key, deployment.launch ?? '', write, { urgent: true }))
      if (isWokenEarly) await addresses.publish(key)
    })

  /** The sites whose Deployment is compared with its row now, or soon. */
  const scaling = new Set<string>()
  const scaleLater = (key: string) => {
    scaling.add(key)
    scale(key)
      .catch((err: unknown) => {
        if (!closing.signal.aborted) log.warn({ err, key }, 'A site could not be woken or stopped')
      })
      .finally(() => scaling.delete(key))
  }

  /**
   * Scales each Deployment that differs from its row, and stores each address that differs from it:
   * changes are missed before the start, while notifications are lost, and while the cluster or the
   * database do not respond.
   */
  function repairAll() {
    if (!isReachable() || closing.signal.aborted) return
    for (const key of state?.keys() ?? []) {
      const entry = table.find(key)
      if (!entry) continue
      const isScaled = state?.deployment(key)?.replicas === replicasFor(entry)
      // A site that wakes may still have the pods of before its sleep.
      if ((!isScaled || entry.state === 'waking') && !scaling.has(key)) scaleLater(key)
      if (!isStored(key)) writeRowLater(key)
    }
  }

  table.onChange((key) => {
    if (key === null) {
      notifyAll()
      repairAll()
      return
    }
    notify(key)
    // Only the process that runs the engine has a state.
    if (isReachable() && table.find(key)?.state !== 'awake') scaleLater(key)
  })

  /** True for an instance to which the edge of the operator sends requests. */
  const isOnEdge = ({ runtime, power }: Pick<Instance, 'runtime' | 'power'>) =>
    edge !== undefined && power === 'running' && runtimes.get(runtime)?.serving === 'http'

  /** True if an instance has exactly the edge objects of the settings. */
  function hasEdgeOfSettings({ instance, launch, objects }: AppliedRecord): boolean {
    const expected = edge && launch !== null && isOnEdge(instance) ? routeKind(edge) : null
    return [kinds.Ingress, kinds.HTTPRoute].every(
      (kind) => nameOf({ kind: kind.kind, name: names.site }) in objects === (kind === expected),
    )
  }

  /** True unless the settings of the networks have changed since an instance was applied. */
  function hasPolicyOfSettings({ instance, objects }: AppliedRecord): boolean {
    const policy = policyObject(settings, instance.key)
    const applied = objects[nameOf({ kind: policy.kind, name: policy.metadata.name })]
    return !applied || applied.intent === policy.metadata.annotations?.[annotations.intent]
  }

  /** True if neither the release, the power nor the variables of an instance have changed. */
  const isSameInstance = (
    instance: Instance,
    { objects }: ProjectObjects,
    record: AppliedRecord | null,
  ): boolean =>
    record !== null &&
    JSON.stringify(record.instance) === JSON.stringify(withoutSecrets(instance)) &&
    // Other variables are in a Secret of another name.
    objects.every(
      ({ kind, metadata: { name } }) =>
        kind !== kinds.Secret.kind || nameOf({ kind, name }) in record.objects,
    )

  /** The objects of an instance: without a program, only its namespace. */
  function objectsOf(instance: Instance, plan: Plan | null, replicas: 0 | 1): ProjectObjects {
    if (plan) {
      const { program, files } = plan
      return projectObjects(instance, program, files, replicas, settings, isOnEdge(instance))
    }
    return { namespace: namespaceObject(settings, instance.key), objects: [], launch: '' }
  }

  async function hasVolume(key: string): Promise<boolean> {
    if (requireState().hasVolume(key)) return true
    // The watch may be late.
    const selector = selectorOf(projectLabels(installation, key))
    return (await cluster.list(kinds.PersistentVolumeClaim, selector)).length > 0
  }

  /** What an instance that is not new has lost, with its data; null if it has lost nothing. */
  async function lostPart(
    key: string,
    namespace: KubeObject | null,
    program: PodProgram | null,
  ): Promise<'namespace' | 'volume' | null> {
    if (!namespace) return (program?.dataPath ?? null) === null ? null : 'namespace'
    const hasData = requireState().recordOf(namespace)?.hasData === true
    return hasData && !(await hasVolume(key)) ? 'volume' : null
  }

  /**
   * False if the instance has no release and its first one is staged, whose pods keep running.
   * `rewrites`: writes all objects, as the watches may not have shown the last change of one yet.
   */
  async function apply(
    instance: Instance,
    { mayCreate, report, rewrites = false }: ApplyOptions & { rewrites?: boolean },
  ): Promise<boolean> {
    const { key } = instance
    const current = requireState()
    report?.('prepare')
    const namespace = await writer.readNamespace(key)
    if (namespace?.metadata.deletionTimestamp !== undefined)
      throw new Error(`The namespace of ${key} is still being deleted`)
    const record = namespace && current.recordOf(namespace)
    const plan = await planOf(instance)
    const hasData = plan !== null && plan.program.dataPath !== null
    const lost = mayCreate ? null : await lostPart(key, namespace, plan?.program ?? null)
    if (lost) throw new MissingDataError(`The ${lost} of ${key} is missing`)

    const planned = objectsOf(instance, plan, 1)
    const { launch } = planned
    const isNewLaunch = record?.launch !== launch || record.instance.power === 'stopped'
    // Changed settings of the operator must not wake every site that sleeps.
    const wakes = isNewLaunch && !isSameInstance(instance, planned, record)
    const runs = plan !== null && instance.power === 'running'
    const keepsStaged = plan === null && instance.power === 'running' && staging.isStaged(key)
    if (!runs && !keepsStaged) {
      current.drainPods(key)
      await addresses.remove(key)
    }
    const sleeping = runs
      ? (await table.open(key, { wake: wakes || !sleeps, leaseMs })) === 'asleep'
      : false
    const objects = objectsOf(instance, plan, runs && !sleeping ? 1 : 0)

    report?.('start')
    if (runs && !sleeping) await readiness.untilDrained(key)
    if (!namespace) await cluster.apply(objects.namespace)
    const write = () => writer.writeObjects(objects, rewrites ? null : record)
    const startsPod = runs && !sleeping && isNewLaunch
    const written = await (startsPod ? starts.limit(key, launch, write) : write())
    const next: AppliedRecord = {
      instance: withoutSecrets(instance),
      launch: plan ? launch : null,
      objects: written,
      hasData: (record?.hasData ?? false) || hasData,
      staged: keepsStaged ? (record?.staged ?? null) : null,
      archiveUntil: plan?.files?.archive.until ?? null,
      settings: podSettings,
    }
    const hasLabels = namespace !== null && hasNamespaceLabels(installation, key, namespace)
    if (!hasLabels || JSON.stringify(record) !== JSON.stringify(next))
      await writer.writeRecord(objects.namespace, next)
    if (keepsStaged) return false
    if (!runs || sleeping) {
      await writer.prune(key, written, record)
      return true
    }
    await addresses.publish(key)
    // The reconciler waits for a new instance: it checks the site through the gateway.
    const serving = current.servingPod(key)
    if (serving && serving.launch !== launch) {
      // An earlier attempt has waited for room. Others need the slot of this one.
      if (record?.launch === launch) readiness.throwIfNoRoom(key, launch)
      const problem = await readiness.untilReady(key, launch)
      if (problem) throw new UnhealthyError(problem)
      await readiness.untilOthersEnd(key, launch)
    }
    // Only now: until its end, a pod of the previous launch may restart and need its objects.
    await writer.prune(key, written, record)
    return true
  }

  async function remove(key: string) {
    requireState()
    await copies.end(key)
    await addresses.remove(key)
    staging.discard(key)
    const namespace = await writer.readNamespace(key)
    if (!namespace) return
    // A namespace that still has pods waits for half of their grace period before it looks again.
    await cluster.remove(writer.deploymentOf(key))
    const hasNoPods = () =>
      requireState()
        .pods(key)
        .every(({ isOver }) => isOver) || undefined
    await untilSeen(key, times.removalMs, hasNoPods)
    await cluster.remove(namespace)
    const isGone = () => (requireState().namespace(key) === undefined ? true : undefined)
    await untilSeen(key, times.removalMs, isGone)
    if (await cluster.read(kinds.Namespace, namespace.metadata.name))
      throw new Error(`The namespace of ${key} is still being deleted`)
  }

  async function isAppliedAsRunning(key: string): Promise<boolean> {
    const namespace = await writer.readNamespace(key)
    const record = namespace && requireState().recordOf(namespace)
    return record?.instance.power === 'running'
  }

  /** True if all applied objects exist and are unchanged. */
  function isAsApplied(key: string, record: AppliedRecord): boolean {
    const current = requireState()
    const deployment = current.deployment(key)
    const views = new Map(current.projectObjects(key).map((view) => [nameOf(view), view]))
    const isStaging = record.staged !== null && deployment?.launch === record.staged
    const isUnchanged = Object.entries(record.objects).every(([name, { intent, content }]) => {
      const view = views.get(name)
      if (view && isStaging && view.kind === kinds.Deployment.kind) return true
      return view?.intent === intent && view.content === content
    })
    if (!hasEdgeOfSettings(record) || !hasPolicyOfSettings(record)) return false
    if (!current.namespace(key)?.hasLabels) return false
    if (record.launch !== null && record.settings !== podSettings) return false
    if (record.instance.power === 'stopped')
      return isUnchanged && (isStaging || !deployment?.replicas)
    if (record.launch === null) return isUnchanged
    // A pod that starts elsewhere needs the files of the release again.
    const { archiveUntil } = record
    if (archiveUntil !== null && archiveUntil - now() < renewArchiveMs) return false
    const entry = table.find(key)
    return isUnchanged && entry !== undefined && deployment?.replicas === replicasFor(entry)
  }

  const keyOfEveryNamespace = () => requireState().keys()

  async function wake(key: string): Promise<WakeResult> {
    try {
      const renewed = await table.renew(key, leaseMs)
      if (renewed === undefined) return 'not_running'
      const address = () => table.find(key)?.address ?? undefined
      if (address()) return 'awake'
      // Another gateway may have woken it just now, and its address may be on its way.
      const waitMs = renewed === 'awake' ? addressDelayMs : times.wakeMs
      return (await untilSeen(key, waitMs, address)) ? 'awake' : 'not_running'
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
      // They last for years after `SLEEP_AFTER=0` or an edge of the operator.
      await table.limitLeases(leaseMs)
      const starting = createClusterState({
        cluster: watchedCluster,
        installation,
        edgeKinds: edgeKinds(edge),
        learnFeatures,
        log,
        relistMs: times.relistMs,
        onChange(key, part) {
          notify(key)
          if (part !== 'pod') return
          // The table may be late, so only the first list of all pods trusts it.
          if (starting.isSynced() || !isStored(key)) writeRowLater(key)
          followOutput(key)
        },
      })
      state = starting
      // A cluster that is down delays nothing else.
      const synced = starting.start().then(
        () => {
          for (const key of starting.keys()) followOutput(key)
          repairAll()
        },
        (err: unknown) => log.error({ err, cluster: clusterName }, 'The cluster could not be read'),
      )
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, times.startMs)
      })
      await Promise.race([synced, opened.promise, timeout])
      clearTimeout(timer)
      schedules.start({ sleeps })
    },

    async apply(instance, applyOptions) {
      // Needed for a rollback to a release whose packages were removed, and for another image.
      const installed = await installPackages(instance)
      if (installed?.problem) throw new UnhealthyError(withOutput(installed))
      return locks.exclusively(instance.key, async () => {
        await installs.removeAbandonedPods(instance.key)
        await applyWithinQuota(instance, applyOptions)
      })
    },

    remove: (key) => locks.exclusively(key, () => remove(key)),

    async stage(instance, { mayCreate = false, onOutput } = {}) {
      const { key } = instance
      if (!mayCreate && instance.power === 'running') {
        const namespace = await writer.readNamespace(key)
        const lost = await lostPart(key, namespace, await programOf(instance))
        if (lost) return { failure: 'data_missing' }
      }
      const wasRunning = await isAppliedAsRunning(key)
      // Not locked: the running site may sleep and wake meanwhile.
      const installed = await installPackages(instance).catch((err: unknown) => {
        // Another attempt would have the same end. A full quota is tried again: the pods that end
        // now free it.
        if (!(err instanceof RejectedError)) throw err
        log.error({ err, key }, 'The cluster rejects an installation of packages')
        return { problem: { failure: 'configuration_rejected' as const }, output: '' }
      })
      if (installed?.problem) return withOutput(installed)
      if (installed?.output) onOutput?.(installed.output)
      return locks.exclusively(key, async () => {
        const plan = await planOf(instance)
        if (!plan || instance.power !== 'running') return null
        // A move, for example, must find no pod that uses the files.
        if (wasRunning && !(await isAppliedAsRunning(key)))
          throw new Error(`The site ${key} was stopped before its release started`)
        return staging.stage(instance, objectsOf(instance, plan, 1))
      })
    },

    async needsInstall(instance) {
      const program = await programOf(instance)
      if (!program?.release || !needsPackages(instance, program)) return false
      return installs.isNeeded(instance, program.release.artifact, program.image)
    },

    unstage: (key) => locks.exclusively(key, () => staging.unstage(key)),

    async hasContent(instance) {
      if (requireState().hasVolume(instance.key)) return true
      return ((await planOf(instance))?.program.dataPath ?? null) !== null
    },

    async exportContent({ key, image, power }, archive, signal) {
      const run = { userId: image?.userId, transfer: { url: archive.url } }
      const { done } = await locks.exclusively(key, async () => {
        await copies.end(key)
        if (power === 'running')
          return copies.start(key, signal, (ended) =>
            content.run(key, { ...run, command: 'send-snapshot' }, ended),
          )
        await content.run(key, { ...run, command: 'send' }, signal)
        return { done: undefined }
      })
      await done
    },

    importContent: ({ key, image }, stored, signal) =>
      locks.exclusively(key, async () => {
        await copies.end(key)
        const run = { command: 'receive', userId: image?.userId, transfer: stored } as const
        await content.run(key, run, signal)
      }),

    async capabilities(): Promise<Capability[]> {
      const missing = await options.missingForPrograms(clusterName)
      const reasonOf = ({ lacksImage, isUntrusted, serving }: ClusterRuntime) => {
        if (lacksImage) return 'no_runtime_image'
        if (edge && serving !== 'http') return 'not_behind_edge'
        return isUntrusted ? missing : null
      }
      return [...runtimes.values()].map((runtime) => ({
        id: runtime.id,
        version: null,
        reason: reasonOf(runtime),
      }))
    },

    async checkCluster(signal) {
      const { images } = options
      // Tried also while the breaker is open: the result names the problem.
      const results = await checkCluster({
        cluster: watchedCluster,
        settings,
        images,
        wantsUserNamespaces: options.settings.pods.userNamespaces,
        networkPolicy,
        signal,
        log,
      })
      return results.map((result) => ({ cluster: clusterName, ...result }))
    },

    isReachable,

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
        hosts.map((host) => health.isHealthy(host, key, probe, timeoutMs)),
      )
      return responses.every(Boolean)
    },

    // A browser for customers' pages would need separate pods.
    takePicture: async () => null,

    problemOf(key) {
      const launch = state?.namespace(key)?.record?.launch
      if (!launch || !state || !isReachable()) return null
      const problem = readiness.problemOfLaunch(key, launch)
      if (problem) return projectFailures[problem.kind]
      const rejection = rejectionOf(state.deployment(key)?.podFailure ?? '')
      return rejection === null ? null : rejectionFailures[rejection]
    },

    crashesOf(key) {
      const launch = state?.namespace(key)?.record?.launch
      if (!launch || !state || !isReachable()) return null
      const pods = state.pods(key).filter((pod) => pod.launch === launch && !pod.isEnding)
      return pods.find(({ crashes }) => crashes !== null)?.crashes ?? null
    },

    async metadata(instance) {
      const { key, artifact } = instance
      const pod = isReachable() ? state?.servingPod(key) : null
      const running = pod?.host
        ? {
            address: { host: pod.host, port: pod.port },
            nodeVersion: pod.nodeVersion,
            folder: artifact === null ? null : options.artifactFiles(artifact).files,
            signal: AbortSignal.any([closing.signal, AbortSignal.timeout(times.metadataMs)]),
          }
        : null
      return runtimeOf(instance).metadata(instance, running)
    },

    async check() {
      if (!state && !closing.signal.aborted) throw new Error('The hosting engine has not started')
    },

    async close({ stopSites } = { stopSites: false }) {
      schedules.stop()
      // Sites belong to the cluster: the end of a server ends none of them.
      if (stopSites) log.info({}, 'The sites on Kubernetes keep running')
      closing.abort()
      await follower.close()
      await state?.close()
      await locks.idle()
      await copies.idle()
      await addresses.idle()
      await health.close()
      await cluster.close()
    },
  }

  /** Applies an instance. Rejects with errors of the engine instead of the API's. */
  async function applyWithinQuota(instance: Instance, applyOptions: ApplyOptions) {
    try {
      if (await apply(instance, applyOptions)) staging.discard(instance.key)
    } catch (error) {
      throw errorOfWrite(error)
    }
  }
}

const withOutput = ({ problem, output }: InstallResult): ReleaseProblem => ({
  ...(problem ?? { failure: 'install_failed' }),
  output,
})

const rejectionFailures = {
  quota: 'quota_exceeded',
  invalid: 'configuration_rejected',
} as const satisfies Record<string, ProjectFailure>

const projectFailures: Record<PodProblem['kind'], ProjectFailure> = {
  image_not_found: 'image_not_pulled',
  image_access_denied: 'image_not_pulled',
  image_not_pulled: 'image_not_pulled',
  container_rejected: 'program_crashes',
  program_exited: 'program_crashes',
  out_of_memory: 'out_of_memory',
  release_not_fetched: 'engine_failed',
  no_room: 'no_capacity',
  volume_unbound: 'volume_unbound',
}

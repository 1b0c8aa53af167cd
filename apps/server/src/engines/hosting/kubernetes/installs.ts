import { z } from 'zod'
import type { ArtifactFiles } from '../../../artifacts/artifact-layout.ts'
import {
  CapacityError,
  type Instance,
  type PackageArchives,
  type ReleaseArchive,
  type ReleaseProblem,
} from '../engine.ts'
import { createKeyedLock } from '../keyed-lock.ts'
import { digestPackages } from '../local/runtimes/node/package-record.ts'
import { ApiError } from './api/api-error.ts'
import type { Cluster } from './api/cluster.ts'
import { kinds, objectOf } from './api/resources.ts'
import type { ChangeWaits } from './change-waits.ts'
import type { ClusterState } from './cluster-state.ts'
import type { ObjectWriter } from './object-writer.ts'
import {
  defaultInstallLimits,
  type InstallLimits,
  type InstallParts,
  installName,
  installPod,
  installSecret,
} from './objects/install-objects.ts'
import { boundaryObjects, namespaceObject, type ObjectSettings } from './objects/project-objects.ts'
import type { PodView } from './pod-state.ts'
import { errorOfWrite } from './rejections.ts'

/** The last lines of npm that a release shows. */
const outputLines = 100
/** How long the pod may take to start, in addition to the time that it may run. */
const startMs = 60_000

/** The report of the program in the pod; any other text is not from it. */
const report = z.object({
  failure: z.enum([
    'install_failed',
    'install_timed_out',
    'install_too_large',
    'install_out_of_memory',
  ]),
  detail: z.string().max(100).optional(),
})

export type InstallsOptions = {
  cluster: Pick<Cluster, 'apply' | 'remove' | 'lastLines'>
  /** Throws while the state of the cluster is unknown. */
  requireState: () => ClusterState
  untilSeen: ChangeWaits['untilSeen']
  readNamespace: ObjectWriter['readNamespace']
  closing: AbortSignal
  settings: ObjectSettings
  artifactFiles: (artifact: string) => ArtifactFiles
  prepareArchive: (artifact: string) => Promise<ReleaseArchive>
  packages: PackageArchives
  limits?: Partial<InstallLimits> | undefined
}

export type InstallResult = { problem: ReleaseProblem | null; output: string }

/**
 * Installs the packages of Node apps, once for a release, in a separate pod. The pods of the site
 * fetch the result, so that their starts need no registry (decision 89).
 */
export function createInstalls(options: InstallsOptions) {
  const { cluster, requireState, untilSeen, closing, settings, artifactFiles, packages } = options
  const limits = { ...defaultInstallLimits, ...options.limits }
  const locks = createKeyedLock()
  /** The projects whose packages are being installed. */
  const active = new Set<string>()

  const removePod = ({ namespace, name, uid }: PodView) =>
    cluster.remove(objectOf(kinds.Pod, { namespace, name, uid }))

  /** The artifact of the live release of the site, if it has the same packages. */
  async function findSame({ key }: Instance, artifact: string): Promise<string | null> {
    const live = requireState().namespace(key)?.record?.instance
    if (live?.runtime !== 'node' || live.artifact === null || live.artifact === artifact)
      return null
    const digests = await Promise.all(
      [artifact, live.artifact].map((each) => digestPackages(artifactFiles(each).files)),
    )
    return digests[0] !== null && digests[0] === digests[1] ? live.artifact : null
  }

  /** True when the live release of the site has the same packages, which this one now has, too. */
  async function reuse(instance: Instance, artifact: string, image: string): Promise<boolean> {
    const live = await findSame(instance, artifact)
    return live !== null && packages.reuse(artifact, live, image)
  }

  /** Starts the pod, or finds the one that an earlier worker has started. */
  async function start({ key }: Instance, artifact: string, image: string): Promise<string> {
    const hasOnlyPackages = (await digestPackages(artifactFiles(artifact).files)) !== null
    const parts: InstallParts = {
      key,
      artifact,
      image,
      archive: await options.prepareArchive(artifact),
      uploadUrl: await packages.uploadAddress(artifact, image),
      sent: hasOnlyPackages ? 'node_modules' : '.',
      limits,
    }
    const name = installName(parts)
    const started = requireState().installPods(key)
    for (const pod of started) if (pod.name !== name) await removePod(pod)
    if (started.some((pod) => pod.name === name)) return name
    try {
      // A new project has a namespace alone, or none. The watch shows no namespace of others.
      if (!requireState().namespace(key) && !(await options.readNamespace(key)))
        await cluster.apply(namespaceObject(settings, key))
      for (const object of boundaryObjects(key, settings))
        if (!requireState().object(object)) await cluster.apply(object)
      const { metadata } = await cluster.apply(installPod(settings, parts))
      await cluster.apply(installSecret(settings, parts, metadata.uid ?? ''))
    } catch (error) {
      throw errorOfWrite(error)
    }
    return name
  }

  const isEnded = ({ install, problem }: PodView) =>
    install?.state !== 'running' || problem?.isFinal === true

  /** The pod once it has ended or cannot run; null when it timed out or is gone. */
  async function untilEnded(key: string, name: string): Promise<PodView | null> {
    let wasSeen = false
    const timeoutMs = limits.seconds * 1_000 + 120_000 + startMs
    const outcome = await untilSeen(key, timeoutMs, () => {
      const pod = requireState()
        .installPods(key)
        .find((each) => each.name === name)
      if (!pod) return wasSeen ? 'gone' : undefined
      wasSeen = true
      return isEnded(pod) ? pod : undefined
    })
    closing.throwIfAborted()
    if (outcome === 'gone') return null
    return (
      outcome ??
      requireState()
        .installPods(key)
        .find((each) => each.name === name) ??
      null
    )
  }

  async function outputOf({ namespace, name }: PodView): Promise<string> {
    try {
      const query = { previous: false, lines: outputLines }
      return (await cluster.lastLines(namespace, name, query)).trimEnd()
    } catch (error) {
      // A container that never ran has printed nothing.
      if (error instanceof ApiError && error.failure !== 'retry') return ''
      throw error
    }
  }

  async function install(
    instance: Instance,
    artifact: string,
    image: string,
  ): Promise<InstallResult> {
    const { key } = instance
    const name = await start(instance, artifact, image)
    const pod = await untilEnded(key, name)
    if (!pod) throw new Error(`The pod that installs the packages of ${key} was deleted`)
    try {
      const problem = problemOfInstall(pod)
      if (problem) return { problem, output: await outputOf(pod) }
      if (!(await packages.find(artifact, image)))
        throw new Error(`The packages of ${key} were not received`)
      return { problem: null, output: await outputOf(pod) }
    } finally {
      await removePod(pod)
    }
  }

  return {
    /** True if `ensure` would start a pod. */
    async isNeeded(instance: Instance, artifact: string, image: string): Promise<boolean> {
      if (await packages.find(artifact, image)) return false
      const live = await findSame(instance, artifact)
      return live === null || !(await packages.find(live, image))
    },

    /**
     * Makes the packages of a release ready for its pods. Resolves with null when they were ready
     * already, and otherwise with the output of npm. Rejects with a `RejectedError`, a
     * `CapacityError` or a `QuotaError`, and when the cluster fails.
     */
    ensure: (instance: Instance, artifact: string, image: string): Promise<InstallResult | null> =>
      locks.exclusively(instance.key, async () => {
        if (await packages.find(artifact, image)) return null
        if (await reuse(instance, artifact, image)) return null
        active.add(instance.key)
        try {
          return await install(instance, artifact, image)
        } finally {
          active.delete(instance.key)
        }
      }),

    /** Removes the pods of installations for a project whose worker was killed. */
    async removeAbandonedPods(key: string) {
      if (!active.has(key)) for (const pod of requireState().installPods(key)) await removePod(pod)
    },
  }
}

/** Why the pod of an installation does not start, as its release reports it. */
const startFailures = [
  'image_not_found',
  'image_access_denied',
  'image_not_pulled',
  'container_rejected',
] as const

/**
 * Why an installation failed, by its pod; null if it succeeded. Throws a `CapacityError` when no
 * node has room, and another error when the program itself is at fault.
 */
export function problemOfInstall({
  key,
  install,
  problem,
}: Pick<PodView, 'key' | 'install' | 'problem'>): ReleaseProblem | null {
  if (install?.state === 'succeeded') return null
  if (install?.state !== 'failed') {
    if (problem?.kind === 'no_room') throw new CapacityError(problem.detail)
    const failure = startFailures.find((kind) => kind === problem?.kind)
    return failure ? { failure, detail: problem?.detail } : { failure: 'install_timed_out' }
  }
  const { reason, message, isOutOfMemory } = install
  if (isOutOfMemory) return { failure: 'install_out_of_memory' }
  if (reason === 'DeadlineExceeded') return { failure: 'install_timed_out' }
  // The kubelet has found the files too large before the program did.
  if (reason === 'Evicted' && /ephemeral|emptydir/i.test(message))
    return { failure: 'install_too_large' }
  const { data } = report.safeParse(parse(message))
  if (data) return data.detail === undefined ? { failure: data.failure } : data
  throw new Error(`The packages of ${key} were not installed: ${reason} ${message}`.trimEnd())
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

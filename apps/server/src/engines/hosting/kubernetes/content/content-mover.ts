import { setTimeout as sleep } from 'node:timers/promises'
import { readContentProgram, tooLargeExitCode } from '../../content/content-program.ts'
import { CapacityError, ContentTooLargeError, MissingDataError } from '../../engine.ts'
import { ApiError } from '../api/api-error.ts'
import type { Cluster } from '../api/cluster.ts'
import { type KubeObject, kinds } from '../api/resources.ts'
import type { ClusterState } from '../cluster-state.ts'
import type { ObjectWriter } from '../object-writer.ts'
import { labels, projectLabels, selectorOf } from '../objects/names.ts'
import {
  namespaceObject,
  type ObjectSettings,
  policyObject,
  quotaObject,
  volumeObject,
} from '../objects/project-objects.ts'
import { type PodProblem, type PodView, viewOfPod } from '../pod-state.ts'
import { runtimeUser } from '../runtimes/cluster-runtime.ts'
import { type ContentCommand, contentLabels, contentObjects } from './content-objects.ts'

const pollMs = 500
/** How long the pods of a stopped site may take to end: longer than their grace period. */
const endMs = 60_000
/** How long the pod may take: to start, to mount the volume, and to copy a full disk. */
const copyMs = 1_200_000
const printedLines = 5

export type ContentMoverOptions = {
  cluster: Cluster
  /** Throws while the state of the cluster is unknown. */
  requireState: () => ClusterState
  writer: ObjectWriter
  settings: ObjectSettings
  /** `deploy/runtimes/node`, for its Node alone. */
  image: string | undefined
  closing: AbortSignal
}

export type ContentRun = {
  command: ContentCommand
  /** The user of a container image; undefined for our own runtimes. */
  userId: number | undefined
  transfer: { url: string; digest?: string }
}

/** The program would find the same again: it is not restarted. */
const isTooLarge = (problem: PodProblem | null) =>
  problem?.kind === 'program_exited' && problem.detail === String(tooLargeExitCode)

/** Moves a project's files out of and into its volume, by a pod that mounts it. */
export function createContentMover(options: ContentMoverOptions) {
  const { cluster, requireState, writer, settings, image, closing } = options
  const { installation } = settings

  /** Pods with these labels, without those that are over, which no longer use the volume. */
  async function listPods(selector: string): Promise<KubeObject[]> {
    const pods = await cluster.list(kinds.Pod, selector)
    return pods.filter((pod) => !viewOfPod(pod).isOver)
  }

  const podsOf = async (selector: Readonly<Record<string, string>>): Promise<PodView[]> =>
    (await listPods(selectorOf(selector))).map(viewOfPod)

  /** The nodes of pods. */
  async function nodesOf(selector: string): Promise<string[]> {
    const pods = (await listPods(selector)) as { spec?: { nodeName?: string } }[]
    return pods.flatMap(({ spec }) => spec?.nodeName ?? [])
  }

  /** The nodes of the site's pods, without those that install packages: they have no volume. */
  const siteNodes = (key: string) =>
    nodesOf(`${selectorOf(projectLabels(installation, key))},${labels.launch}`)

  /**
   * Throws if the site has started, such as for a visitor, on another node than the pod of its
   * copy: its volume may be on one node only.
   */
  async function requireSameNode(key: string) {
    const copyNodes = await nodesOf(selectorOf(contentLabels(installation, key)))
    const nodes = await siteNodes(key)
    if (copyNodes.length > 0 && nodes.some((node) => !copyNodes.includes(node)))
      throw new Error(`The site ${key} has started on another node than its copy`)
  }

  /** Polls until there is a result. Rejects with the message when there is none in time. */
  async function poll<Result>(
    ms: number,
    message: string,
    signal: AbortSignal,
    find: () => Promise<Result | undefined>,
  ): Promise<Result> {
    const end = performance.now() + ms
    for (;;) {
      signal.throwIfAborted()
      requireState()
      const value = await find()
      if (value !== undefined) return value
      if (performance.now() >= end) throw new Error(message)
      await sleep(pollMs, undefined, { signal })
    }
  }

  /** Why the pod does not finish, with its last output. */
  async function problemOf({ namespace, name, problem, restarts }: PodView): Promise<Error> {
    if (isTooLarge(problem)) return new ContentTooLargeError()
    if (problem?.kind === 'no_room') return new CapacityError(problem.detail)
    const query = { previous: restarts > 0, lines: printedLines }
    const printed = await cluster.lastLines(namespace, name, query).catch((error: unknown) => {
      if (error instanceof ApiError) return ''
      throw error
    })
    return new Error(`The files were not copied: ${printed.trim() || problem?.detail}`)
  }

  return {
    /**
     * Copies the files once the site has no pod, or beside its pod for `send-snapshot`. `receive`
     * creates the volume. Idempotent: replaces the remains of a killed run, and removes the pod at
     * the end.
     */
    async run(key: string, { command, userId, transfer }: ContentRun, signal: AbortSignal) {
      if (image === undefined) throw new Error('KUBERNETES_NODE_IMAGE is not set')
      requireState()
      const aborted = AbortSignal.any([signal, closing])
      const isSnapshot = command === 'send-snapshot'
      if (!isSnapshot) {
        const noPods = async () =>
          (await podsOf(projectLabels(installation, key))).length === 0 || undefined
        await poll(endMs, `The pods of ${key} have not ended`, aborted, noPods)
      } else if (!requireState().hasVolume(key))
        throw new MissingDataError(`The volume of ${key} is missing`)

      const { url, digest } = transfer
      const { secret, deployment } = contentObjects(settings, key, image, {
        command,
        userId: userId ?? runtimeUser,
        transfer: digest === undefined ? { url } : { url, digest },
        program: await readContentProgram(),
        isBesideSite: isSnapshot && (await siteNodes(key)).length > 0,
      })
      /** Resolves once no pod mounts the volume. */
      const removeRun = async () => {
        await cluster.remove(deployment)
        await cluster.remove(secret)
        const noRun = async () =>
          (await podsOf(contentLabels(installation, key))).length === 0 || undefined
        await poll(endMs, `A pod with the files of ${key} has not ended`, closing, noRun)
      }

      const namespace = await writer.readNamespace(key)
      if (namespace) await removeRun()
      // An earlier version had no place in it for this pod beside those of a site.
      if (isSnapshot) await cluster.apply(quotaObject(settings, key))
      if (command === 'receive') {
        if (!namespace) await cluster.apply(namespaceObject(settings, key))
        await cluster.apply(policyObject(settings, key))
        await cluster.apply(volumeObject(settings, key))
      }
      try {
        await cluster.apply(secret)
        await cluster.apply(deployment)
        await poll(copyMs, `The files of ${key} were not copied in time`, aborted, async () => {
          const [pod] = await podsOf(contentLabels(installation, key))
          if (isSnapshot && pod && !pod.isReady) await requireSameNode(key)
          if (pod && (pod.problem?.isFinal || isTooLarge(pod.problem))) throw await problemOf(pod)
          return pod?.isReady || undefined
        })
      } finally {
        // A killed run is removed by the next one, or with the namespace.
        if (!closing.aborted) await removeRun()
      }
    },
  }
}

import { CapacityError, type ReleaseProblem } from '../engine.ts'
import { ApiError, rejectionOf } from './api/api-error.ts'
import type { Cluster } from './api/cluster.ts'
import type { ChangeWaits } from './change-waits.ts'
import type { ClusterState } from './cluster-state.ts'
import type { PodProblem } from './pod-state.ts'
import { errorOfPodFailure } from './rejections.ts'

const outputLines = 20

export type ReadinessOptions = {
  cluster: Pick<Cluster, 'lastLines'>
  /** Throws while the state of the cluster is unknown. */
  requireState: () => ClusterState
  untilSeen: ChangeWaits['untilSeen']
  closing: AbortSignal
  times: {
    /** How long a new pod may take to accept requests. */
    changeMs: number
    /** How long a launch may have no pod before a message that rejects its pods is final. */
    rejectionMs: number
    /** How long the previous pod may take to begin to end. */
    replacementMs: number
  }
}

export type Readiness = ReturnType<typeof createReadiness>

export function createReadiness(options: ReadinessOptions) {
  const { cluster, requireState, untilSeen, closing, times } = options

  /** Why the pods of a launch do not accept requests; undefined while no reason is known. */
  const problemOfLaunch = (key: string, launch: string): PodProblem | undefined =>
    requireState()
      .pods(key)
      .find((pod) => pod.launch === launch && !pod.isEnding && pod.problem !== null)?.problem ??
    undefined

  /** The last lines that the program of a launch printed, before its end if it has ended. */
  async function outputOf(key: string, launch: string): Promise<{ output?: string }> {
    const pod = requireState()
      .pods(key)
      .find((each) => each.launch === launch && !each.isOver)
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

  /**
   * Throws when the cluster rejects the pods of a launch. Its message may be about the previous
   * launch at first. A used-up quota does not count: it is free again once other pods have ended.
   */
  function throwIfRejected(key: string, launch: string) {
    const current = requireState()
    const { podFailure = '' } = current.deployment(key) ?? {}
    const hasPod = current.pods(key).some((pod) => pod.launch === launch)
    if (!hasPod && rejectionOf(podFailure) === 'invalid') throw errorOfPodFailure(podFailure)
  }

  return {
    problemOfLaunch,

    /** Throws a `CapacityError` if no node has room for a pod of the launch now. */
    throwIfNoRoom(key: string, launch: string) {
      const problem = problemOfLaunch(key, launch)
      if (problem?.kind === 'no_room') throw new CapacityError(problem.detail)
    },

    /** Null once a pod of the launch accepts requests; otherwise why it does not. */
    async untilReady(key: string, launch: string): Promise<ReleaseProblem | null> {
      const current = requireState()
      const isReady = () =>
        current.pods(key).some((pod) => pod.launch === launch && pod.isReady && !pod.isEnding)
      const lookForOutcome = (): 'ready' | PodProblem | undefined => {
        if (isReady()) return 'ready'
        const problem = problemOfLaunch(key, launch)
        return problem?.isFinal ? problem : undefined
      }
      let outcome = await untilSeen(key, times.rejectionMs, lookForOutcome)
      if (outcome === null) throwIfRejected(key, launch)
      outcome ??= await untilSeen(key, times.changeMs - times.rejectionMs, lookForOutcome)
      if (outcome === 'ready') return null
      closing.throwIfAborted()
      const problem = outcome ?? problemOfLaunch(key, launch)
      const { podFailure } = current.deployment(key) ?? {}
      if (problem?.kind === 'no_room') throw new CapacityError(problem.detail)
      if (!problem && podFailure !== undefined) throw errorOfPodFailure(podFailure)
      return { ...releaseProblem(problem), ...(await outputOf(key, launch)) }
    },

    /**
     * Waits until every pod of another launch is ending. A change before that would first end a
     * pod that is ready for less than `minReadySeconds`, and leave the previous one.
     */
    untilOthersEnd: (key: string, launch: string) =>
      untilSeen(
        key,
        times.replacementMs,
        () =>
          requireState()
            .pods(key)
            .every((pod) => pod.launch === launch || pod.isEnding) || undefined,
      ),

    /**
     * Waits until the pods of a site that was stopped begin to end. Kubernetes may keep a pod
     * when the site is started again at once: that pod then gets requests again.
     */
    async untilDrained(key: string) {
      const current = requireState()
      const isDrained = () => !current.hasDrainingPods(key) || undefined
      if (!(await untilSeen(key, times.replacementMs, isDrained))) current.undrainPods(key)
    },
  }
}

function releaseProblem(problem: PodProblem | undefined): ReleaseProblem {
  if (!problem) return { failure: 'not_listening' }
  const { kind, detail } = problem
  // `no_room` never gets here: without capacity there is no attempt.
  if (kind === 'no_room' || kind === 'release_not_fetched') return { failure: 'not_finished' }
  return { failure: kind, detail }
}

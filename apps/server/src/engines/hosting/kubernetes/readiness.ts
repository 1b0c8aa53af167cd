import { CapacityError, type ReleaseProblem } from '../engine.ts'
import { ApiError } from './api/api-error.ts'
import type { Cluster } from './api/cluster.ts'
import type { ChangeWaits } from './change-waits.ts'
import type { ClusterState } from './cluster-state.ts'
import type { PodProblem } from './pod-state.ts'

const outputLines = 20

export type ReadinessOptions = {
  cluster: Pick<Cluster, 'lastLines'>
  /** Throws while nothing is known of the cluster. */
  requireState: () => ClusterState
  untilSeen: ChangeWaits['untilSeen']
  closing: AbortSignal
  times: {
    /** How long a new pod may take to accept requests. */
    changeMs: number
    /** How long the previous pod may take to begin to end. */
    replacementMs: number
  }
}

export type Readiness = ReturnType<typeof createReadiness>

/** Waits for the pods of instances. */
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

  return {
    problemOfLaunch,

    /** Null once a pod of the launch accepts requests; otherwise why it does not. */
    async untilReady(key: string, launch: string): Promise<ReleaseProblem | null> {
      const current = requireState()
      const isReady = () =>
        current.pods(key).some((pod) => pod.launch === launch && pod.isReady && !pod.isEnding)
      const seen = await untilSeen(key, times.changeMs, () => {
        if (isReady()) return 'ready'
        const problem = problemOfLaunch(key, launch)
        return problem?.isFinal ? problem : undefined
      })
      if (seen === 'ready') return null
      closing.throwIfAborted()
      const problem = seen ?? problemOfLaunch(key, launch)
      const { podFailure } = current.deployment(key) ?? {}
      if (problem?.kind === 'no_room') throw new CapacityError(problem.detail)
      if (!problem && podFailure !== undefined) throw new CapacityError(podFailure)
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
     * Waits until the pods of a site that was stopped begin to end. Kubernetes may keep one when
     * the site is started again at once: that one then gets requests again.
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

import { createLimiter, type Limiter } from '../../../limiter.ts'
import type { ChangeWaits } from './change-waits.ts'
import type { ClusterState } from './cluster-state.ts'

/**
 * Pods of a cluster that start at once. Before Kubernetes 1.27 a node sends at most five requests a
 * second, for all of its pods: it reads their Secrets and reports their states. If more pods start
 * at once, some Secrets arrive too late, and their pods wait for a minute. All may be on one node.
 */
export const startsOnSlowNodes = 8
/** Since 1.27 a node sends fifty. Fewer starts than ten times as many: they share its processor. */
export const startsOnFastNodes = 40
/** A pod that takes longer, to pull a large image for example, delays no other one. */
const longestStartMs = 15_000

export type PodStartsOptions = {
  requireState: () => Pick<ClusterState, 'pods'>
  untilSeen: ChangeWaits['untilSeen']
  /** Whether all nodes have Kubernetes 1.27 or newer: known once there is a state. */
  hasFastNodes: () => boolean
}

export type PodStarts = ReturnType<typeof createPodStarts>

export function createPodStarts({ requireState, untilSeen, hasFastNodes }: PodStartsOptions) {
  let limiter: Limiter | undefined
  const getLimiter = () => {
    limiter ??= createLimiter(hasFastNodes() ? startsOnFastNodes : startsOnSlowNodes)
    return limiter
  }

  const hasStarted = (key: string, launch: string) =>
    requireState()
      .pods(key)
      .some((pod) => pod.launch === launch && !pod.isOver && (pod.hasRun || pod.problem !== null))

  return {
    /**
     * Runs a write that starts a pod of the launch, once few enough other pods are starting. An
     * urgent one, for which visitors wait, starts before the others.
     */
    async limit<Result>(
      key: string,
      launch: string,
      write: () => Promise<Result>,
      { urgent = false } = {},
    ) {
      const release = await getLimiter().acquire({ urgent })
      try {
        const written = await write()
        const started = untilSeen(key, longestStartMs, () => hasStarted(key, launch) || undefined)
        void started.then(release, release)
        return written
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

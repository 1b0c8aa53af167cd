import type { Log } from '../../../log.ts'
import type { Instance, ReleaseProblem } from '../engine.ts'
import type { Cluster } from './api/cluster.ts'
import type { KubeObject } from './api/resources.ts'
import type { AppliedRecord } from './applied-record.ts'
import type { ClusterState } from './cluster-state.ts'
import type { InstanceTable } from './instance-table.ts'
import type { ObjectWriter } from './object-writer.ts'
import type { ProjectObjects } from './objects/project-objects.ts'
import type { PodStarts } from './pod-starts.ts'
import type { Readiness } from './readiness.ts'
import { problemOfRejection } from './rejections.ts'

export type StagingOptions = {
  cluster: Pick<Cluster, 'apply' | 'remove'>
  requireState: () => ClusterState
  writer: ObjectWriter
  readiness: Readiness
  starts: PodStarts
  table: InstanceTable
  namespaceObject: (key: string) => KubeObject
  /** Applies the release that is live: all of its objects, also those that seem unchanged. */
  applyLive: (key: string) => Promise<void>
  leaseMs: number
  log: Log
}

/**
 * Runs a release beside the running one, until the new one is applied or the previous one is
 * restored.
 */
export function createStaging(options: StagingOptions) {
  const { cluster, requireState, writer, readiness, starts, table, leaseMs, log } = options
  const { namespaceObject, applyLive } = options
  const staged = new Set<string>()

  const isFirst = (record: AppliedRecord | null) => !record || record.launch === null

  /** Applies the live release again; without one, removes the Deployment. */
  async function restore(key: string, record: AppliedRecord | null) {
    // From now on the sweep repairs the project: this worker may be killed.
    if (record) await writer.writeRecord(namespaceObject(key), { ...record, staged: null })
    if (isFirst(record)) {
      await cluster.remove(writer.deploymentOf(key))
      await table.remove(key)
      return
    }
    try {
      await applyLive(key)
    } catch (err) {
      log.warn({ err, key }, 'The live release is not restored yet')
    }
  }

  async function start(
    key: string,
    objects: ProjectObjects,
    namespace: KubeObject | null,
    record: AppliedRecord | null,
  ): Promise<ReleaseProblem | null> {
    try {
      if (!namespace) await cluster.apply(objects.namespace)
      await starts.limit(key, objects.launch, () => writer.writeObjects(objects, record))
      await table.open(key, { wake: true, leaseMs })
      return await readiness.untilReady(key, objects.launch)
    } catch (err) {
      // Another attempt would have the same result.
      const problem = problemOfRejection(err)
      if (!problem) throw err
      log.error({ err, key }, 'The cluster rejects a release')
      return problem
    }
  }

  return {
    /** Null once a pod of the release accepts requests; otherwise why it does not. */
    async stage({ key }: Instance, objects: ProjectObjects): Promise<ReleaseProblem | null> {
      const namespace = await writer.readNamespace(key)
      const record = namespace && requireState().recordOf(namespace)
      if (record?.launch === objects.launch) return null
      if (record) await writer.writeRecord(objects.namespace, { ...record, staged: objects.launch })
      const problem = await start(key, objects, namespace, record)
      if (problem) await restore(key, record)
      else {
        staged.add(key)
        await readiness.untilOthersEnd(key, objects.launch)
      }
      return problem
    },

    isStaged: (key: string): boolean => staged.has(key),

    /**
     * Restores the state before a staged release that will not be applied, also one that another
     * worker has staged.
     */
    async unstage(key: string) {
      const wasStaged = staged.delete(key)
      const namespace = await writer.readNamespace(key)
      const record = namespace && requireState().recordOf(namespace)
      if (!namespace || !(wasStaged || record?.staged)) return
      await restore(key, record)
    },

    /** Ends the staging: the staged release has become the live one, or the project is deleted. */
    discard(key: string) {
      staged.delete(key)
    },
  }
}

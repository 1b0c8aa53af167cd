import type { Log } from '../../../log.ts'
import type { Instance, ReleaseProblem } from '../engine.ts'
import type { Cluster } from './api/cluster.ts'
import type { KubeObject } from './api/resources.ts'
import type { AppliedRecord } from './applied-record.ts'
import type { ClusterState } from './cluster-state.ts'
import type { InstanceTable } from './instance-table.ts'
import type { ObjectWriter } from './object-writer.ts'
import { annotations } from './objects/names.ts'
import type { ProjectObjects } from './objects/project-objects.ts'
import type { PodStarts } from './pod-starts.ts'
import type { Readiness } from './readiness.ts'
import { problemOfRejection } from './rejections.ts'

type PreviousRelease = {
  deployed: KubeObject | null
  objects: ProjectObjects
  record: AppliedRecord | null
}

export type StagingOptions = {
  cluster: Pick<Cluster, 'apply' | 'merge' | 'remove'>
  requireState: () => ClusterState
  writer: ObjectWriter
  readiness: Readiness
  starts: PodStarts
  table: InstanceTable
  leaseMs: number
  log: Log
}

/**
 * Runs a release beside the running one, until the new one is applied or the previous one is
 * restored.
 */
export function createStaging(options: StagingOptions) {
  const { cluster, requireState, writer, readiness, starts, table, leaseMs, log } = options
  const previousReleases = new Map<string, PreviousRelease>()

  /** Restores the program that the pods ran before `stage`; without one, removes the Deployment. */
  async function restore(key: string, { deployed, objects, record }: PreviousRelease) {
    if (deployed) {
      const { template } = deployed.spec as { template: unknown }
      const intent = deployed.metadata.annotations?.[annotations.intent]
      await cluster.merge(writer.deploymentOf(key), {
        metadata: { annotations: { [annotations.intent]: intent } },
        spec: { template },
      })
    } else {
      await cluster.remove(writer.deploymentOf(key))
      await table.remove(key)
    }
    if (record) await writer.writeRecord(objects, { ...record, staged: null })
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
      const isFirst = !record || record.launch === null
      if (record) await writer.writeRecord(objects, { ...record, staged: objects.launch })
      const deployed = isFirst ? null : await writer.readDeployment(key)
      const problem = await start(key, objects, namespace, record)
      const previousRelease = { deployed, objects, record }
      if (problem) await restore(key, previousRelease)
      else {
        previousReleases.set(key, previousRelease)
        await readiness.untilOthersEnd(key, objects.launch)
      }
      return problem
    },

    isStaged: (key: string): boolean => previousReleases.has(key),

    /** Restores the state before a staged release that will not be applied. */
    async unstage(key: string) {
      const previousRelease = previousReleases.get(key)
      previousReleases.delete(key)
      if (previousRelease) await restore(key, previousRelease)
    },

    /** Ends the staging: the staged release has become the live one, or the project is deleted. */
    discard(key: string) {
      previousReleases.delete(key)
    },
  }
}

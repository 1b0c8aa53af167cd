import type { Instance, ReleaseProblem } from '../engine.ts'
import type { Cluster } from './api/cluster.ts'
import type { KubeObject } from './api/resources.ts'
import type { AppliedRecord } from './applied-record.ts'
import type { ClusterState } from './cluster-state.ts'
import type { InstanceTable } from './instance-table.ts'
import type { ObjectWriter } from './object-writer.ts'
import { annotations } from './objects/names.ts'
import type { ProjectObjects } from './objects/project-objects.ts'
import type { Readiness } from './readiness.ts'

/** What served before a staged release. */
type Earlier = {
  deployed: KubeObject | null
  objects: ProjectObjects
  record: AppliedRecord | null
}

export type StagingOptions = {
  cluster: Pick<Cluster, 'apply' | 'merge' | 'remove'>
  requireState: () => ClusterState
  writer: ObjectWriter
  readiness: Readiness
  table: InstanceTable
  leaseMs: number
  clusterName: string
}

/** Tries a release beside the running one, until it is applied or put back. */
export function createStaging(options: StagingOptions) {
  const { cluster, clusterName, requireState, writer, readiness, table, leaseMs } = options
  const earlier = new Map<string, Earlier>()

  /** Has the pods run what they ran before `stage`; without an earlier release, none. */
  async function putBack(key: string, { deployed, objects, record }: Earlier) {
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

  return {
    /** Null once a pod of the release accepts requests; otherwise why it does not. */
    async stage({ key }: Instance, objects: ProjectObjects): Promise<ReleaseProblem | null> {
      const namespace = await writer.readNamespace(key)
      const record = namespace && requireState().recordOf(namespace)
      if (record?.launch === objects.launch) return null
      const isFirst = !record || record.launch === null
      if (!namespace) await cluster.apply(objects.namespace)
      if (record) await writer.writeRecord(objects, { ...record, staged: objects.launch })
      const deployed = isFirst ? null : await writer.readDeployment(key)
      await writer.writeObjects(objects, record)
      await table.open(key, { cluster: clusterName, wake: true, leaseMs })
      const problem = await readiness.untilReady(key, objects.launch)
      const before = { deployed, objects, record }
      if (problem) await putBack(key, before)
      else {
        earlier.set(key, before)
        await readiness.untilReplaced(key, objects.launch)
      }
      return problem
    },

    /** Puts back what ran before a staged release that is not wanted any more. */
    async unstage(key: string) {
      const before = earlier.get(key)
      earlier.delete(key)
      if (before) await putBack(key, before)
    },

    /** The staged release has become the live one, or the project is gone. */
    forget(key: string) {
      earlier.delete(key)
    },
  }
}

import type { ClusterResult } from '@slipway/contract/clusters'
import type { ProjectFailure } from '@slipway/contract/projects'
import type { Manifest } from '../../../artifacts/manifest.ts'
import type { Crashes } from '../crashes.ts'
import type {
  Capability,
  EngineStep,
  HostingEngine,
  Instance,
  InstanceAddress,
  InstanceId,
  ObservedInstance,
  ReleaseProblem,
  Serving,
  WakeResult,
} from '../engine.ts'

/**
 * The engines of all clusters of an installation: each call goes to the engine of the instance's
 * cluster. Calls reject with a `ClusterUnreachableError` for a cluster that the settings lack.
 */
export type Fleet = Pick<
  HostingEngine,
  | 'start'
  | 'apply'
  | 'stage'
  | 'needsInstall'
  | 'hasContent'
  | 'exportContent'
  | 'importContent'
  | 'versionOf'
  | 'count'
  | 'isHealthy'
  | 'takePicture'
  | 'metadata'
  | 'check'
  | 'close'
> & {
  /** The name of a cluster's engine, shown as metadata; null for one that the settings lack. */
  nameOf(cluster: string): string | null
  /** The steps that `apply` reports in a cluster, in order. */
  stepsOf(cluster: string): readonly EngineStep[]
  remove(id: InstanceId): Promise<void>
  unstage(id: InstanceId): Promise<void>
  /** The runtimes that at least one of these clusters can run, in the console's order. */
  capabilities(clusters: readonly string[]): Promise<readonly Capability[]>
  /**
   * Checks whether the clusters can run sites. Takes minutes; an installation runs one check at a
   * time. Null where sites run on this machine alone. Rejects when the signal aborts.
   */
  checkClusters(signal: AbortSignal): Promise<readonly ClusterResult[] | null>
  /** The names of the clusters that do not respond now. Reads no network. */
  unreachableClusters(): readonly string[]
  /** How the gateway serves an instance; null for one that needs a release and has none. */
  servingOf(instance: Pick<Instance, 'cluster' | 'runtime' | 'artifact'>): Serving | null
  /** Why an unpacked artifact cannot be a release of an instance; null if it can. */
  checkRelease(
    instance: Pick<Instance, 'cluster' | 'runtime'> & { artifact: string },
    manifest: Manifest,
  ): Promise<ReleaseProblem | null>
  /** See `HostingEngine.wake`. Never rejects. */
  wake(id: InstanceId): Promise<WakeResult>
  /** See `HostingEngine.addressOf`. Called often: it reads no file. */
  addressOf(id: InstanceId): InstanceAddress | null
  /**
   * These instances, or all. Omits the instances of a cluster that does not respond, or that the
   * settings lack.
   */
  list(ids?: readonly InstanceId[]): Promise<ObservedInstance[]>
  /**
   * Some instances, leftovers included: about `limit`, and other ones at the next call, so that
   * repeated calls see all of them.
   */
  scan(limit: number): Promise<InstanceId[]>
  /** Why an instance does not respond; null while the engine knows no reason. */
  problemOf(
    instance: Pick<Instance, 'key' | 'cluster' | 'runtime' | 'artifact'>,
  ): ProjectFailure | null
  /** The crashes of an instance's program; null for one that runs well, sleeps or is stopped. */
  crashesOf(id: InstanceId): Crashes | null
}

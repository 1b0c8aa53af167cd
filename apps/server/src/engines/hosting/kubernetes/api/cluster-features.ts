import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../../log.ts'
import { ApiError } from './api-error.ts'
import { type BackoffOptions, backoffMs } from './backoff.ts'
import type { Cluster } from './cluster.ts'
import type { ResourceKind } from './resources.ts'

/** Features that not every cluster has: the engine supports Kubernetes 1.20 and newer. */
export type ClusterFeatures = {
  /** Such as v1.33.1; empty if it could not be read. */
  version: string
  /**
   * Whether its API knows the field `hostUsers`: older ones reject a pod that has it. True for an
   * unknown version: a rejected pod is seen, one without its user namespace is not.
   */
  knowsHostUsers: boolean
  /** Whether pods with this field run in their own user namespaces without configuration. */
  hasUserNamespaces: boolean
  /** Whether a container may sleep before it is stopped: older ones reject a pod that does. */
  knowsPreStopSleep: boolean
  /**
   * Whether the kubelets of all nodes send fifty requests a second, as since 1.27, instead of five:
   * those of a cluster may be three minor versions older than its API server.
   */
  hasFastNodes: boolean
  /** The API versions that it serves, such as networking.k8s.io/v1. */
  apiVersions: ReadonlySet<string>
}

/** The minor version of Kubernetes 1. */
const minorOf = (version: string) => Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? 0)

export function featuresOf(version: string, apiVersions: Iterable<string>): ClusterFeatures {
  const minor = minorOf(version)
  return {
    version,
    knowsHostUsers: minor >= 25 || version === '',
    hasUserNamespaces: minor >= 33,
    knowsPreStopSleep: minor >= 30,
    hasFastNodes: minor >= 30,
    apiVersions: new Set(apiVersions),
  }
}

export type FeatureOptions = {
  cluster: Pick<Cluster, 'version' | 'apiVersions'>
  closing: AbortSignal
  log: Log
  backoff?: BackoffOptions
}

/** How often the cluster may deny its version: its authorization may not be ready at its start. */
const maxDenials = 6

/**
 * Reads what a cluster has, as soon as it responds. If its role denies that, the version is empty.
 * Rejects when `closing` aborts.
 */
export async function readFeatures({
  cluster,
  closing,
  log,
  backoff = { initialMs: 500, maxMs: 30_000 },
}: FeatureOptions): Promise<ClusterFeatures> {
  let denials = 0
  for (let failures = 0; ; failures++) {
    try {
      return featuresOf(...(await Promise.all([cluster.version(), cluster.apiVersions()])))
    } catch (error) {
      closing.throwIfAborted()
      // After a 401 nothing else works either, until the credentials are valid again.
      const isOutage =
        error instanceof ApiError && (error.failure === 'retry' || error.status === 401)
      if (!isOutage) denials += 1
      if (denials === maxDenials) {
        log.error({ err: error }, 'The version of the cluster could not be read')
        return featuresOf('', [])
      }
      await sleep(backoffMs(failures, backoff), undefined, { signal: closing })
    }
  }
}

export const missingApis = (
  { apiVersions }: ClusterFeatures,
  needed: readonly ResourceKind[],
): string[] => [
  ...new Set(
    needed
      .map(({ apiVersion }) => apiVersion)
      // The list of API groups does not name the core group.
      .filter((apiVersion) => apiVersion !== 'v1' && !apiVersions.has(apiVersion)),
  ),
]

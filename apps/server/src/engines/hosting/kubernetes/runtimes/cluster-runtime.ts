import type { Runtime } from '@slipway/contract/runtimes'
import type { ArtifactFiles } from '../../../../artifacts/artifact-layout.ts'
import type { Manifest } from '../../../../artifacts/manifest.ts'
import type { FastCgiAddress } from '../../../../fastcgi/request.ts'
import type {
  EmailAccess,
  Instance,
  Metadata,
  Probe,
  ReleaseProblem,
  Serving,
} from '../../engine.ts'
import type { PodProgram } from './pod-program.ts'

/** One runtime of the Kubernetes engine. No other code depends on the runtime of an instance. */
export type ClusterRuntime = {
  id: Runtime
  serving: Serving
  /** True when nothing runs before the first release. */
  needsRelease: boolean
  /** True for programs of customers. */
  isUntrusted: boolean
  /** True if it needs an image that the operator has not named. */
  lacksImage: boolean
  /** Null for files that it can run. `folder` has the unpacked files. */
  check(manifest: Manifest, folder: string): Promise<ReleaseProblem | null>
  /** The version of files that operators add; null when `folder` has something else. */
  versionOf?(folder: string): Promise<string | null>
  /**
   * The program of the pods; `artifact` has the files of the release, if there is one. Undefined
   * for sites that the gateway serves alone.
   */
  program?(instance: Instance, artifact: ArtifactFiles | null): Promise<PodProgram>
  /** Requested through the gateway. */
  probe(instance: Instance): Probe
  /** Work of a running site that no visitor starts, every few minutes. */
  background?(
    address: FastCgiAddress,
    instance: Pick<Instance, 'hosts'>,
    signal: AbortSignal,
  ): Promise<void>
  /** The versions of the site's software, for the project's page; null while unknown. */
  metadata(instance: Instance, running: RunningSite | null): Promise<Metadata | null>
}

/** A pod of a site that accepts requests, and the files of its release on this machine. */
export type RunningSite = {
  address: { host: string; port: number }
  /** The version in the image that fetched the release. */
  nodeVersion: string | null
  /** Null without a release. */
  folder: string | null
  signal: AbortSignal
}

export type RuntimeImages = {
  /** `deploy/runtimes/node`: it also fetches the releases of all runtimes. */
  node: string | undefined
  /** `deploy/runtimes/php`. */
  php: string | undefined
}

export type GetEmailAccess = (key: string) => Promise<EmailAccess>

/** The user that programs run as in the images of our runtimes. */
export const runtimeUser = 1000

/** In the images of our runtimes: waits for the program's open requests. */
export const drainCommand = ['/bin/sh', '/slipway/drain.sh']

/** Any response but a server error means that the site works. */
export const anyPage: Probe = { path: '/', isHealthy: (status) => status < 500 }

export const noReleases = async (): Promise<ReleaseProblem> => ({
  failure: 'runtime_has_no_releases',
})

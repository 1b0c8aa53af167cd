import type { ClusterResult } from '@slipway/contract/clusters'
import type { ContainerImage } from '@slipway/contract/container-images'
import type { ProjectFailure, ProjectStep } from '@slipway/contract/projects'
import type { ReleaseFailure } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import type { Manifest } from '../../artifacts/manifest.ts'
import type { Crashes } from './crashes.ts'

/** A step of an engine before the site responds. */
export type EngineStep = Exclude<ProjectStep, 'queued' | 'answer'>

/** Reports that a step starts, which ends the previous one. Returns at once and never throws. */
export type Report = (step: EngineStep) => void

export type ApplyOptions = {
  /** True for an instance that has no data yet: it starts empty. */
  mayCreate: boolean
  report?: Report
}

export type StageOptions = {
  /** True for an instance that has no data yet. False by default. */
  mayCreate?: boolean
  /** Gets the output of the build. */
  onOutput?: (text: string) => void
}

/** The engine has no capacity for another instance. The message is for operators. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError'
}

/** A quota of the instance's size is used up. The message is for operators. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError'
}

/** The cluster does not accept the configuration of the instance. The message is for operators. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
}

/** The cluster of an instance does not respond: nothing was done. The message is for operators. */
export class ClusterUnreachableError extends Error {
  override readonly name = 'ClusterUnreachableError'
}

/** The data of an instance is missing. An operator restores it or recreates the site without it. */
export class MissingDataError extends Error {
  override readonly name = 'MissingDataError'
}

/** The files of a site are too large for an archive: more than 2 GiB. */
export class ContentTooLargeError extends Error {
  override readonly name = 'ContentTooLargeError'

  constructor() {
    super('The files of the site are too large to copy')
  }
}

/** The instance stores more than its disk has. It runs again once it is restarted or changed. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError'
}

/** A new process does not get healthy. The old one keeps serving. */
export class UnhealthyError extends Error {
  override readonly name = 'UnhealthyError'
  readonly problem: ReleaseProblem

  constructor(problem: ReleaseProblem) {
    super(`${problem.failure}${problem.detail === undefined ? '' : `: ${problem.detail}`}`)
    this.problem = problem
  }
}

/** The first page of a site in WebP. */
export type Picture = {
  /** 1280 x 800 pixels, at most 300 KB. */
  large: Buffer
  /** 160 x 100 pixels, for lists. */
  small: Buffer
}

/** No picture of a site was taken. The message is the reason. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/** How the images of a registry are pulled. */
export type RegistryCredentials = {
  /** Such as `ghcr.io`; `docker.io` for Docker Hub. */
  host: string
  username: string
  password: string
}

/** Identifies an instance: a project that changes its cluster has an instance in each. */
export type InstanceId = {
  /** The project's key: a DNS label, never reused. */
  key: string
  cluster: string
}

/** A website to run: the desired state of one project. */
export type Instance = InstanceId & {
  /** The project's name, shown by the site. A change needs no restart. */
  name: string
  regionId: string
  runtime: Runtime
  /** The files of the live release: SHA-256 of their archive. Null before the first one. */
  artifact: string | null
  /** The container image of the live release, for the runtime `image`. */
  image: ContainerImage | null
  /** How its image is pulled; null without credentials. A change needs no restart. */
  registry: RegistryCredentials | null
  /** The site's own variables. Values are secrets. */
  environment: Readonly<Record<string, string>>
  /** Host names of the site: the default one first, then the custom domain, if any. */
  hosts: readonly string[]
  /** A stopped instance keeps its data and has no process. */
  power: 'running' | 'stopped'
  /** The engine restarts the site when this number changes. */
  restarts: number
  /** The site's registration as a client of our login provider (OpenID Connect). */
  signIn: { issuer: string; clientId: string; clientSecret: string }
}

/** An instance without its secrets, which an engine never returns. */
export type AppliedInstance = Omit<
  Instance,
  'cluster' | 'environment' | 'image' | 'registry' | 'signIn'
>

/** The observed state of one instance. */
export type ObservedInstance = {
  key: string
  /** The instance as last applied; null when only leftovers of a removal exist. */
  applied: AppliedInstance | null
  /**
   * True when its process or pod runs, is being recovered, waits for its restart after a crash, or
   * sleeps until a request.
   */
  running: boolean
  /** True when it sleeps until a request. */
  asleep: boolean
}

/** Where an instance accepts requests: on this machine, or on the network. */
export type InstanceAddress =
  | {
      /** A symlink to the socket of the current process: a new one takes over with one rename. */
      socketPath: string
      /** The folder that it may write. */
      dataFolder: string
    }
  | { host: string; port: number }

/** The files of a release for machines that run it. */
export type ReleaseArchive = {
  /** A signed address of the archive: a tar compressed with gzip. */
  url: string
  /** The SHA-256 of the archive, in hexadecimal. */
  digest: string
  /** When the address expires, in milliseconds. It is renewed a day before. */
  until: number
}

/** Where a site's files are stored while it moves to another cluster. */
export type ContentArchive = {
  /** On this machine, for its web servers too. */
  file: string
  /** A signed URL of the file, for other machines: `PUT` stores, `GET` sends it. */
  url: string
}

/** An archive that is complete, with its SHA-256 in hexadecimal. */
export type StoredContent = ContentArchive & { digest: string }

/** Packages that a machine has installed for releases, in archives for machines that run them. */
export type PackageArchives = {
  /** The packages of a release for programs of this image; null before they are installed. */
  find(artifact: string, image: string): Promise<ReleaseArchive | null>
  /** Gives a release the packages of an earlier one. False when the earlier one has none. */
  reuse(artifact: string, earlier: string, image: string): Promise<boolean>
  /** A signed address that receives them once, from the machine that has installed them. */
  uploadAddress(artifact: string, image: string): Promise<string>
}

/** How the pods of a site send its emails: by a request with this token. */
export type EmailAccess = { url: string; token: string }

/** The request that shows whether a site works. */
export type Probe = {
  path: string
  isHealthy(status: number, body: string): boolean
}

/**
 * How the gateway serves a runtime: it sends files itself, or passes requests to a program that
 * speaks HTTP or FastCGI.
 */
export type Serving = 'files' | 'http' | 'fastcgi'

export type Metadata = readonly { key: string; value: string }[]

/** The parts that a machine may lack for a runtime, worded for operators in `modules/runtimes`. */
export const missingParts = [
  'not_linux',
  'not_root',
  'no_bubblewrap',
  'no_seccomp',
  'no_cgroups',
  'no_namespaces',
  'no_npm',
  'not_started',
  'no_php',
  'no_socat',
  'no_php_sqlite',
  'sandbox_off',
  'no_runtime_image',
  'no_network_policy',
  'network_policy_unknown',
  'api_server_open',
  'not_behind_edge',
] as const
export type MissingPart = (typeof missingParts)[number]

/** Whether an engine can run a runtime: its version, or the part that the machine lacks. */
export type Capability = { id: Runtime; version: string | null; reason: MissingPart | null }

/** Why files cannot be a release of a runtime. */
export type ReleaseProblem = {
  failure: ReleaseFailure
  detail?: string
  /** The last lines that its program printed. */
  output?: string
}

/** Whether a site accepts requests: `unknown` while no process runs the sites. */
export type WakeResult = 'awake' | 'not_running' | 'unknown'

/** Runs the sites of one cluster, in which the key identifies an instance. */
export type HostingEngine = {
  /** Shown as the project's `engine` metadata. */
  readonly name: string
  /** The steps that `apply` reports, in order. */
  readonly steps: readonly EngineStep[]
  /**
   * Takes over the instances of an earlier server: adopts running ones and restarts the others.
   * Resolves before all of them run; a call for an instance waits for its recovery. Waits while
   * another server runs the same instances. Rejects if the engine cannot run here, and when the
   * signal aborts.
   */
  start(signal?: AbortSignal): Promise<void>
  /**
   * Brings the instance to its desired state: files, process, routes. Idempotent, and safe to kill
   * at any point. Resolves when the engine supervises the instance, before the site responds.
   * Reports each of `steps` as it starts, also on repetition.
   *
   * An instance that runs with other files or settings is replaced: the new process starts beside
   * the old one, which serves until the new one is healthy. If it does not get healthy, the old one
   * keeps serving, and `apply` rejects with an `UnhealthyError`; repeated calls reject with the
   * same error, without a new attempt, until a growing delay is over.
   *
   * Also rejects with a `CapacityError` when it has no capacity for an instance that does not run,
   * a `QuotaError` when the instance uses all that its size allows, a `RejectedError` when the
   * cluster does not accept its configuration, a `MissingDataError` when the data of an existing
   * instance is lost, a `DiskFullError` while the instance is stopped because it has filled its
   * disk, and soon with a `ClusterUnreachableError` while its cluster does not respond, as other
   * calls for it do.
   */
  apply(instance: Instance, options: ApplyOptions): Promise<void>
  /** Stops the instance and deletes its data. Idempotent; an unknown key resolves. */
  remove(key: string): Promise<void>
  /**
   * Starts the release of an instance beside the running one and waits until it is healthy; `apply`
   * of the same instance switches to it. Resolves with the problem when it is not, or when the
   * cluster does not accept it, and with null when it is healthy or needs no process. Stops an
   * earlier staged release. Idempotent. The data of an existing instance that is lost is a problem.
   */
  stage(instance: Instance, options?: StageOptions): Promise<ReleaseProblem | null>
  /** True if `stage` would install packages, which may take minutes. */
  needsInstall(instance: Instance): Promise<boolean>
  /** Stops the staged release that `apply` did not switch to. Idempotent. */
  unstage(key: string): Promise<void>
  /** True if the instance has files, or its program may write some. */
  hasContent(instance: Instance): Promise<boolean>
  /**
   * Stores the site's files in an archive, with their names, modes, times and links. Equal files
   * have equal archives. Idempotent, and safe to kill.
   *
   * An instance whose power is `stopped` must be applied as stopped; waits until its last process
   * has ended.
   *
   * With the power `running` it is copied as it is: it continues to run or to sleep, and may be
   * applied meanwhile. Each SQLite database is copied as of one moment, with all its committed
   * transactions; while that lasts, writers of a database without a write-ahead log wait. Other
   * files are copied one after the other. Those that are deleted meanwhile are omitted, and one
   * that becomes smaller ends in zeros. A database that is damaged, or locked for seconds, is
   * copied like other files. `remove`, `importContent` and an export with the power `stopped` end
   * the copy, which rejects.
   *
   * Rejects when the signal aborts, with a `ContentTooLargeError`, with a `MissingDataError` when
   * a running instance has no data, and with a `ClusterUnreachableError` as `apply`.
   */
  exportContent(instance: Instance, archive: ContentArchive, signal: AbortSignal): Promise<void>
  /**
   * Replaces the files of an instance without a process by the files of an archive, owned by the
   * site's user. Creates the folder or volume of an instance that is not applied yet, and starts
   * nothing. Idempotent, safe to kill, and rejects as `exportContent`.
   */
  importContent(instance: Instance, content: StoredContent, signal: AbortSignal): Promise<void>
  /** Whether the engine can run each runtime here, in the order that the console offers. */
  capabilities(): Promise<readonly Capability[]>
  /**
   * Checks whether the cluster can run sites, part by part. Takes minutes; an installation runs
   * one check at a time. Null for this machine. Rejects when the signal aborts.
   */
  checkCluster(signal: AbortSignal): Promise<readonly ClusterResult[] | null>
  /** False while the cluster does not respond. Reads no network. */
  isReachable(): boolean
  /** How the gateway serves a runtime; null for one that needs a release and has none. */
  servingOf(instance: Pick<Instance, 'runtime' | 'artifact'>): Serving | null
  /** Why an unpacked artifact cannot be a release of the runtime; null if it can. */
  checkRelease(
    runtime: Runtime,
    artifact: string,
    manifest: Manifest,
  ): Promise<ReleaseProblem | null>
  /**
   * Keeps an instance awake for `SLEEP_AFTER` from now, and wakes it if it sleeps. Resolves once it
   * responds, or does not run. Never rejects. Works in every process: one that does not run the
   * sites sends a request to the process that does.
   */
  wake(key: string): Promise<WakeResult>

  /**
   * The version of software that operators add for all projects, such as WordPress; null if the
   * unpacked artifact is something else.
   */
  versionOf(runtime: Runtime, artifact: string): Promise<string | null>
  /**
   * The address of an instance for the site gateway. On this machine it does not depend on whether
   * the instance runs; on a network it is null while no pod accepts requests. Called often, so it
   * reads no file.
   */
  addressOf(key: string): InstanceAddress | null
  /**
   * The instances of these keys, or all that have a process or data, leftovers included. An unknown
   * key gives an instance that is not applied and does not run. Omits the instances of a cluster
   * that does not respond.
   */
  list(keys?: readonly string[]): Promise<ObservedInstance[]>
  /**
   * The keys of some instances, leftovers included: at most `limit`, and other ones at the next
   * call, so that repeated calls see all of them.
   */
  scan(limit: number): Promise<string[]>
  /**
   * How many instances have a process, sleep until a request, and wait for the next start of their
   * process. Reads no file.
   */
  count(): { running: number; asleep: number; stopped: number }
  /**
   * True when the site passes its health check through the gateway on each of its hosts, within
   * `timeoutMs`, ten seconds by default.
   */
  isHealthy(instance: Instance, timeoutMs?: number): Promise<boolean>
  /**
   * A picture of the first page of a site that responds. Null if the engine takes no pictures.
   * Rejects with a `PictureError` when it fails.
   */
  takePicture(instance: Instance): Promise<Picture | null>
  /** Why an instance does not respond; null while the engine knows no reason. */
  problemOf(key: string): ProjectFailure | null
  /** The crashes of an instance's program; null for one that runs well, sleeps or is stopped. */
  crashesOf(key: string): Crashes | null
  /**
   * Facts for the project's page, such as the version of an instance's CMS. Null while they are
   * unknown, for example because the instance sleeps.
   */
  metadata(instance: Instance): Promise<Metadata | null>
  /**
   * Rejects while the engine cannot work. `/readyz` calls it, so it resolves for a server that
   * waits for the end of another: a rolling deployment ends the old one once the new one is ready.
   */
  check(): Promise<void>
  /**
   * Finishes running calls and stops supervising. Instances keep running for the next server unless
   * `stopSites` is true. Data stays.
   */
  close(options?: { stopSites: boolean }): Promise<void>
}

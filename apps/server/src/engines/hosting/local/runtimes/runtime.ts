import type { Runtime } from '@slipway/contract/runtimes'
import type { ArtifactFiles } from '../../../../artifacts/artifact-layout.ts'
import type { Manifest } from '../../../../artifacts/manifest.ts'
import type {
  Capability,
  Instance,
  MissingPart,
  Probe,
  ReleaseProblem,
  Serving,
} from '../../engine.ts'
import type { Layout, SiteFiles } from '../files/layout.ts'
import type { Account, Accounts } from '../machine/accounts.ts'
import type { SiteCertificates } from '../machine/site-certificates.ts'
import type { ResourceLimits } from '../sandbox/cgroup.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

export type Machine = {
  layout: Layout
  accounts: Accounts
  /** The Node executable, which the sites' users can run. */
  node: string
  /** Certificate authorities that the operator adds; null without any. */
  certificates: SiteCertificates | null
  /** The sandbox for customers' programs, or why this machine has none. */
  sandbox: Sandbox | MissingPart
}

/** The parts of a site that a launch uses. */
export type Site = {
  instance: Instance
  files: SiteFiles
  /** The release, read-only; null for a runtime without releases. */
  artifact: ArtifactFiles | null
  /** Null when all sites run as the server's user. */
  account: Account | null
}

/**
 * A program to start. Its listening socket is file descriptor 3: the engine creates it, so that no
 * site can replace it. A change of anything here makes a new launch.
 */
export type Program = {
  command: readonly string[]
  /** Its whole environment. */
  env: Readonly<Record<string, string>>
  cwd: string
  /** Null for our own code, which runs without a sandbox. */
  sandboxSettings: SandboxSettings | null
  /** The maximum size of a file it may write, its log included, in bytes. */
  fileBytes: number
  /** Shown in the metadata. */
  version: string
  /** Identifies its files, which are not removed while it runs. Without a dash. */
  release: string
}

/** A program and how often its site was restarted, which makes a new launch too. */
export type StartedProgram = Program & { restarts: number }

/** Folders and files by their path in the sandbox, and the limits of all its processes together. */
export type SandboxSettings = {
  readable: Readonly<Record<string, string>>
  writable: Readonly<Record<string, string>>
  limits: ResourceLimits
}

/** The socket that a program listens on. */
export const socketDescriptor = 3

export type Build = { problem: ReleaseProblem | null; output: string }

/** One runtime of the local engine. No other code depends on the runtime of an instance. */
export type LocalRuntime = {
  id: Runtime
  serving: Serving
  /** True when nothing runs before the first release. */
  needsRelease: boolean
  /** Called once, at the start of the engine, before all others. */
  prepare?(machine: Machine): Promise<void>
  /** Whether this machine can run it. */
  detect(): Promise<Omit<Capability, 'id'>>
  /** Null for files that it can run. `folder` has the unpacked files. */
  check(manifest: Manifest, folder: string): Promise<ReleaseProblem | null>
  /**
   * Builds the output that a release needs beside its files, once for each artifact. Null if there
   * is nothing to build; otherwise the printed text, and the problem if it failed.
   */
  build?(site: Site, signal: AbortSignal): Promise<Build | null>
  /** True if `build` would take minutes. */
  needsBuild?(site: Site): Promise<boolean>
  /** The version of files that operators add; null when `folder` has something else. */
  versionOf?(folder: string): Promise<string | null>
  /** The program of a site. A runtime without one is served by the gateway alone. */
  launch?(site: Site): Promise<Program>
  /** Requested through the gateway, and directly where the program speaks HTTP. */
  probe: Probe
  /** True to probe a running process too, and to replace it when it hangs: for our own code. */
  restartsHanging: boolean
  /** The status of the probe on a socket; null without a response. HTTP by default. */
  requestStatus?(
    socketPath: string,
    instance: Instance,
    signal: AbortSignal,
  ): Promise<number | null>
  /** Work of a running site that no visitor starts, every few minutes. */
  background?(socketPath: string, instance: Instance, signal: AbortSignal): Promise<void>
  /** Deletes the releases that no process runs. */
  deleteUnused?(releasesInUse: ReadonlySet<string>): Promise<void>
  /** Why a program with a port does not respond, from a process in its sandbox. */
  whySilent?(pid: number): Promise<ReleaseProblem>
  /** For the project's page; `version` is the version of the running program, null without one. */
  metadata(version: string | null): { key: string; value: string }[]
}

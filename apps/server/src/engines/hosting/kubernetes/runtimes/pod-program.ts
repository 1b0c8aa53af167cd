/** The check that a program must pass before it gets requests of visitors. */
export type StartCheck =
  | { path: string }
  /** A command in the container, which succeeds once the program responds. */
  | { command: readonly string[]; seconds: number }

/** The program of a site's pod. An unchanged program has the same launch. */
export type PodProgram = {
  /** The name of the image with its digest. */
  image: string
  /** True for an image from a registry whose credentials its team has stored. */
  needsCredentials: boolean
  /** The command of the image by default. */
  command?: readonly string[]
  /** The service's variables, which may be secret. They override the customer's. */
  env: Readonly<Record<string, string>>
  port: number
  /** Never root. */
  userId: number
  startCheck: StartCheck
  /** A path whose missing responses restart the container; null for a program that is not ours. */
  livenessPath: string | null
  /** A command in the container that returns once the program may be stopped; null for none. */
  drainCommand: readonly string[] | null
  /** The folder whose files outlive the pod. */
  dataPath: string | null
  /**
   * The files that another container fetches to /app before the program starts; with the packages
   * that `npm ci` installs for them, if they are missing.
   */
  release: { artifact: string; fetchImage: string; needsPackages: boolean } | null
  /** The content of /settings/settings.json, which changes without a new launch. */
  settings: string | null
}

/** The check that a program must pass before it gets requests of visitors. */
export type StartCheck =
  | { path: string }
  /** A command in the container, which succeeds once the program responds. */
  | { command: readonly string[]; seconds: number }

/** What the pod of a site runs. An unchanged program has the same launch. */
export type PodProgram = {
  /** The name of the image with its digest. */
  image: string
  /** True for an image of the customer's, which may need the credentials of its registry. */
  needsCredentials: boolean
  /** The command of the image by default. */
  command?: readonly string[]
  /** The service's variables, which may be secret. They override the customer's. */
  env: Readonly<Record<string, string>>
  port: number
  /** Never root. */
  userId: number
  startCheck: StartCheck
  /** The folder whose files stay. */
  dataPath: string | null
  /**
   * The files that another container fetches to /app before the program starts; with the packages
   * that `npm ci` installs for them, if they are missing.
   */
  release: { artifact: string; fetchImage: string; needsPackages: boolean } | null
  /** The content of /settings/settings.json, which changes without a new launch. */
  settings: string | null
}

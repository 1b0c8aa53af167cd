/** What requests a program, before it gets those of visitors. */
export type StartCheck =
  | { path: string }
  /** A command in the container, which succeeds once the program responds. */
  | { command: readonly string[]; seconds: number }

/** What the pod of a site runs. The same gives the same launch. */
export type PodProgram = {
  /** By its digest. */
  image: string
  /** True for an image of the customer's, which may need the credentials of its registry. */
  needsCredentials: boolean
  /** That of the image by default. */
  command?: readonly string[]
  /** Variables of the service, which win over those of the customer. Secrets. */
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

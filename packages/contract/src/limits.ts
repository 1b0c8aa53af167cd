// Times are in milliseconds.
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/**
 * The limits of the product that the console knows, too; the others are in `service-limits.ts`.
 */
export const limits = {
  /** The minimum length of names, subjects, messages and the parts of an address. */
  textMin: 3,
  nameMax: 100,
  addressMax: 300,
  taxNumberMax: 32,
  subjectMax: 200,
  ticketMessageMax: 10_000,
  passwordMin: 8,
  passwordMax: 64,
  emailMax: 254,
  /** An email or password as it is typed to log in. */
  credentialMax: 254,
  domainMax: 253,
  bodyBytes: 64 * 1024,

  /** How long a resolved ticket accepts messages. */
  ticketClosesAfter: 24 * hour,
  /** The projects that a personal token may be limited to. */
  projectsPerPersonalToken: 100,

  /** Environment variables of a site: their number, their names and their values. */
  variablesPerProject: 100,
  variableNameMax: 128,
  variableValueBytes: 16 * 1024,

  captchaMaxNumber: 50_000,
  captchaLifetime: 5 * minute,
  loginStateLifetime: 5 * minute,

  /** Secrets of a client, and addresses of each kind. */
  secretsPerSignInClient: 2,
  redirectUrisPerClient: 20,
  redirectUriMax: 1024,

  suspensionNoteMax: 1000,
  releaseFilesMax: 50_000,
  /** The unpacked size limit of a release, as a multiple of the size of the largest archive. */
  releaseUnpackedFactor: 5,

  registryHostMax: 255,
  registryUsernameMax: 255,
  /** The key files of some registries are passwords of 3 KB. */
  registryPasswordMax: 8192,

  /** Hours that a project is billed for in a calendar month, at most: 28 days. */
  billedHoursPerMonth: 672,
  /** An unpaid invoice is overdue this time after its issue. */
  unpaidWarningAfter: 24 * hour,
  invoicesPerPayment: 100,
  cardNumberLength: 16,
  /** A card number as it is typed, with separators. */
  cardNumberTextMax: 64,
  expireYearMax: 9999,

  socketPing: 50 * second,
  socketSilence: 120 * second,
  socketReconnectDelays: [second, 5 * second, 10 * second, 15 * second, 30 * second],
  toastLifetime: 5 * second,
  linkPreloadDelay: 20,
  /** Consecutive redirects that the console follows. */
  redirects: 100,
} as const

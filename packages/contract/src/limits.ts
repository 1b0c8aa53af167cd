/** The limits of the product, for server, console and tests. Times are in milliseconds. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

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

  /** A session that is not used ends after this time. */
  sessionIdleLifetime: 30 * day,
  /** A session ends after this time even if it is used. */
  sessionLifetime: 90 * day,
  verifyTokenLifetime: 24 * hour,
  /** An account that is not verified within this time is removed. */
  unverifiedLifetime: 7 * day,
  resetTokenLifetime: hour,
  emailsPerAddressAndKind: 3,
  /** Wrong passwords for one account from one network; then a login needs a captcha. */
  wrongPasswordsPerAccountAndNetwork: 10,
  /** The same for one account from all networks, and from one network for all accounts. */
  wrongPasswordsPerAccount: 100,
  wrongPasswordsPerNetwork: 100,
  /** Wrong passwords with one emailed link that verifies an account. */
  wrongPasswordsPerLink: 10,
  /** Wrong current passwords in changes of the password, in the window. */
  wrongPasswordsPerChange: 10,
  /** Requests of one server that may wait for the hash of a password. */
  waitingPasswords: 100,
  /** The window of the limits per account, address and user. */
  attemptWindow: 15 * minute,

  /** Invitations that a user may send in the window, and that may be pending in a team. */
  invitationsPerUser: 20,
  invitationsPerTeam: 100,
  /** Messages that a user may send in the window. */
  ticketMessagesPerUser: 30,
  /** How long a resolved ticket accepts messages. */
  ticketClosesAfter: 24 * hour,

  /**
   * Personal tokens of a user, tokens created in the window, and the projects that a token may be
   * limited to.
   */
  personalTokensPerUser: 50,
  personalTokensMadePerUser: 20,
  projectsPerPersonalToken: 100,
  /** The lifetime of a code of `slipway login`, and the first poll interval of the program. */
  deviceCodeLifetime: 10 * minute,
  devicePollInterval: 5 * second,
  /** Codes that a user may try in the window. */
  deviceCodesPerUser: 20,

  /** Environment variables of a site: their number, names, values, and all names and values. */
  variablesPerProject: 100,
  variableNameMax: 128,
  variableValueBytes: 16 * 1024,
  variablesBytes: 32 * 1024,

  captchaMaxNumber: 50_000,
  captchaLifetime: 5 * minute,
  loginStateLifetime: 5 * minute,
  externalLoginCodeLifetime: minute,
  /** How long a browser in which a user logged in is a known device. */
  knownDeviceLifetime: 365 * day,
  authorizationCodeLifetime: minute,
  accessTokenLifetime: hour,
  /** The lifetime of a refresh token, and of all tokens of one grant. */
  refreshTokenIdleLifetime: 30 * day,
  offlineGrantLifetime: 90 * day,
  /** How long a user may take to log in for a request of `prompt=login`. */
  loginTicketLifetime: hour,
  /** Clients of a project, and the secrets and the addresses of each kind of a client. */
  signInClientsPerProject: 20,
  secretsPerSignInClient: 2,
  redirectUrisPerClient: 20,
  redirectUriMax: 1024,

  /** The longest time that a project is in a transitional state. */
  projectDeadline: 5 * minute,
  suspensionNoteMax: 1000,
  /** How long a deleted project stays in the list. */
  deletedProjectListed: 24 * hour,
  /** Stored releases of a project: the newest that went live, and as many that failed. */
  releasesPerProject: 10,
  /** Releases of a project that may be checked at once. */
  releasesInProgress: 3,
  /** Releases that a user may make in the window. */
  releasesPerUser: 60,
  /** The longest time that a release is checked. */
  releaseDeadline: 10 * minute,
  releaseFilesMax: 50_000,
  /** The unpacked size limit of a release, as a multiple of the size of the largest archive. */
  releaseUnpackedFactor: 5,

  /** The retention of a site's logs. */
  logDays: 7,
  /** The largest log of a project and source; its oldest hours are removed. */
  logBytes: 256 * 1024 * 1024,
  /** The retention of a site's traffic, in days: 13 months. */
  trafficDays: 396,
  /** Event streams that a user, and that all users of one server, may have open. */
  streamsPerUser: 20,
  streamsInAll: 500,

  /** Registries whose credentials a team has; their hosts, user names and passwords. */
  registriesPerTeam: 20,
  registryHostMax: 255,
  registryUsernameMax: 255,
  /** The key files of some registries are passwords of 3 KB. */
  registryPasswordMax: 8192,

  domainsPerProject: 50,
  /** DNS checks that a user may request in the window. */
  domainChecksPerUser: 60,

  /** Hours that a project is billed for in a calendar month, at most: 28 days. */
  billedHoursPerMonth: 672,
  /** An unpaid invoice is overdue this time after its issue. */
  unpaidWarningAfter: 24 * hour,
  invoicesPerPayment: 100,
  cardNumberLength: 16,
  /** A card number as it is typed, with separators. */
  cardNumberTextMax: 64,
  expireYearMax: 9999,
  /** Cards of a user, and cards added in the window, which stops the testing of stolen numbers. */
  paymentMethodsPerUser: 20,
  cardsAddedPerUser: 10,
  /** PDFs of invoices that a user may download in the window. */
  invoicePdfsPerUser: 30,
  /** Payments that a user may try in the window. */
  paymentsPerUser: 20,

  socketTicketLifetime: 30 * second,
  socketPing: 50 * second,
  /** The server's own ping: some proxies close a connection that is silent for 30 seconds. */
  socketServerPing: 25 * second,
  socketSilence: 120 * second,
  /** Open sockets of one user: one for each tab. */
  socketsPerUser: 50,
  /** Bytes that may be queued for a socket. A slower reader is disconnected. */
  socketBacklogBytes: 1024 * 1024,
  socketReconnectDelays: [second, 5 * second, 10 * second, 15 * second, 30 * second],
  toastLifetime: 5 * second,
  linkPreloadDelay: 20,
  /** Consecutive redirects that the console follows. */
  redirects: 100,
} as const

import { day, hour, minute, second } from './limits.ts'

/** The limits that only the server and its tests need. The console loads none of them. */
export const serviceLimits = {
  /** A session that is not used ends after this time. */
  sessionIdleLifetime: 30 * day,
  /** A session ends after this time even if it is used. */
  sessionLifetime: 90 * day,
  /** Sessions and known devices of a user; the ones that were used last. */
  sessionsPerUser: 100,
  knownDevicesPerUser: 100,
  verifyTokenLifetime: 24 * hour,
  /** An account that is not verified within this time is removed. */
  unverifiedLifetime: 7 * day,
  resetTokenLifetime: hour,

  /** The window of the limits below that count per account, address or user. */
  attemptWindow: 15 * minute,
  emailsPerAddressAndKind: 3,
  /** Wrong passwords for one account from one network; then a login needs a captcha. */
  wrongPasswordsPerAccountAndNetwork: 10,
  /** The same for one account from all networks, and from one network for all accounts. */
  wrongPasswordsPerAccount: 100,
  wrongPasswordsPerNetwork: 100,
  /** Wrong passwords with one emailed link that verifies an account. */
  wrongPasswordsPerLink: 10,
  /** Changes of the password that a user may try in the window. */
  passwordChangesPerUser: 10,
  /** Requests of one server that may wait for the hash of a password. */
  waitingPasswords: 100,

  /** Invitations that a user may send in the window, and that may be pending in a team. */
  invitationsPerUser: 20,
  invitationsPerTeam: 100,
  /** Messages that a user may send in the window. */
  ticketMessagesPerUser: 30,

  /** Personal tokens of a user, and tokens created in the window. */
  personalTokensPerUser: 50,
  personalTokensMadePerUser: 20,
  /** The lifetime of a code of `slipway login`, and the first poll interval of the command line. */
  deviceCodeLifetime: 10 * minute,
  devicePollInterval: 5 * second,
  /** Codes that a user may try in the window. */
  deviceCodesPerUser: 20,

  /** All names and values of the environment variables of a site. */
  variablesBytes: 32 * 1024,
  /** Changes of environment variables that a user may make in the window. */
  environmentChangesPerUser: 60,

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
  /** Clients of a project. */
  signInClientsPerProject: 20,

  /** The longest time that a project is in a transitional state. */
  projectDeadline: 5 * minute,
  /** How long a deleted project stays in the list. */
  deletedProjectListingLifetime: 24 * hour,
  /** Stored releases of a project: the newest 10 that went live, and the newest 10 that failed. */
  releasesPerProject: 10,
  /** Releases of a project that may be checked at once. */
  releasesInProgress: 3,
  /** Releases that a user may make in the window. */
  releasesPerUser: 60,
  /** The longest time that a release is checked. */
  releaseDeadline: 10 * minute,

  /** The retention of a site's logs. */
  logDays: 7,
  /** The largest log of a project and source; its oldest hours are removed. */
  logBytes: 256 * 1024 * 1024,
  /** The retention of a site's traffic, in days: 13 months. */
  trafficDays: 396,
  /** Event streams that a user, and that all users of one server, may have open. */
  streamsPerUser: 20,
  streamsPerServer: 500,

  /** Registries whose credentials a team has. */
  registriesPerTeam: 20,

  domainsPerProject: 50,
  /** DNS checks that a user may request in the window. */
  domainChecksPerUser: 60,

  /** Cards of a user, and cards added in the window, which stops the testing of stolen numbers. */
  paymentMethodsPerUser: 20,
  cardsAddedPerUser: 10,
  /** PDFs of invoices that a user may download in the window. */
  invoicePdfsPerUser: 30,
  /** Payments that a user may try in the window. */
  paymentsPerUser: 20,

  socketTicketLifetime: 30 * second,
  /** The server's own ping: some proxies close a connection that is silent for 30 seconds. */
  socketServerPing: 25 * second,
  /** Open sockets of one user: one for each tab. */
  socketsPerUser: 50,
  /** Bytes that may be queued for a socket. A slower reader is disconnected. */
  socketBacklogBytes: 1024 * 1024,
} as const

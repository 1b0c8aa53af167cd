/** The numbers of the business: one place, for server, console and tests. Times are in milliseconds. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export const limits = {
  /** Names, subjects, messages and the parts of an address. */
  textMin: 3,
  nameMax: 100,
  subjectMax: 200,
  ticketMessageMax: 10_000,
  passwordMin: 8,
  passwordMax: 64,
  emailMax: 254,
  domainMax: 253,
  bodyBytes: 64 * 1024,

  sessionLifetime: 30 * day,
  verifyTokenLifetime: 24 * hour,
  /** How long an account may stay unverified before it is removed. */
  unverifiedLifetime: 7 * day,
  resetTokenLifetime: hour,
  emailsPerAddressAndKind: 3,
  wrongPasswordsPerAccount: 10,
  wrongPasswordsPerAddress: 100,
  /** The window that the three limits above count in. */
  attemptWindow: 15 * minute,

  /** Invitations that one person may send in the window, and that may wait for an answer in one team. */
  invitationsPerUser: 20,
  invitationsPerTeam: 100,
  /** Messages of one person in the window: a conversation, not a flood. */
  ticketMessagesPerUser: 30,
  /** How long a resolved ticket still takes messages. */
  ticketClosesAfter: 24 * hour,

  captchaMaxNumber: 50_000,
  captchaLifetime: 5 * minute,
  loginStateLifetime: 5 * minute,
  authorizationCodeLifetime: minute,
  accessTokenLifetime: hour,

  /** A passing project state ends by then, one way or the other. */
  projectDeadline: 5 * minute,
  /** How long a deleted project stays in the list. */
  deletedProjectListed: 24 * hour,
  /** Looks at the DNS of their domains that one person can ask for in the window. */
  domainChecksPerUser: 60,

  /** Hours that one project is billed for in a calendar month: 28 days. */
  billedHoursPerMonth: 672,
  /** How long after its issue an unpaid invoice is warned about. */
  unpaidWarningAfter: 24 * hour,
  /** Invoices that one payment can be for. */
  invoicesPerPayment: 100,
  cardNumberLength: 16,
  expireYearMax: 9999,
  /** Cards that one person can keep, and add in the window: what tries stolen numbers adds many. */
  paymentMethodsPerUser: 20,
  cardsAddedPerUser: 10,
  /** PDFs of invoices that one person can have made in the window. */
  invoicePdfsPerUser: 30,
  /** Payments that one person can try in the window. */
  paymentsPerUser: 20,

  socketPing: 50 * second,
  socketSilence: 120 * second,
  /** Open sockets of one user: one for each tab. */
  socketsPerUser: 50,
  /** What may wait to be sent to one socket, in bytes: whoever reads slower than that is cut off. */
  socketBacklogBytes: 1024 * 1024,
  socketReconnectDelays: [second, 5 * second, 10 * second, 15 * second, 30 * second],
  toastLifetime: 5 * second,
  linkPreloadDelay: 20,
  /** Redirects in a row that the console follows. */
  redirects: 100,
} as const

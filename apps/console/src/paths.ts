/** Every link of the console. What varies is escaped here, so a page never builds an address. */
const at = (base: string) => (id: string) => `${base}/${encodeURIComponent(id)}`

export const paths = {
  home: () => '/',

  login: () => '/auth/login',
  signUp: () => '/auth/sign-up',
  forgotPassword: () => '/auth/forgot-password',
  resetPassword: () => '/auth/reset-password',
  askVerify: () => '/auth/ask-verify',
  verify: () => '/auth/verify',
  externalLogin: () => '/auth/login/oauth',
  projectLogin: () => '/auth/code',

  terms: () => '/terms',
  privacy: () => '/privacy',

  projects: () => '/projects',
  createProject: () => '/projects/create',
  project: at('/projects/view'),

  teams: () => '/teams',
  team: at('/teams/view'),
  /** The team's page, at the field for inviting somebody. */
  inviteTo: (id: string) => `${paths.team(id)}#invite`,
  invitations: () => '/teams/invitations',

  tickets: () => '/support/tickets',
  createTicket: () => '/support/tickets/create',
  ticket: at('/support/tickets/view'),

  profile: () => '/account/profile',
  billing: () => '/account/billing/overview',
  invoices: () => '/account/billing/invoices',
  invoice: at('/account/billing/invoices/view'),
  payInvoices: () => '/account/billing/invoices/pay',
  addPaymentMethod: () => '/account/billing/payment-methods/add',
}

import type { InvoiceId } from '@slipway/contract/invoices'
import type { ProjectKey } from '@slipway/contract/projects'
import type { TicketId } from '@slipway/contract/support'
import type { TeamId } from '@slipway/contract/teams'

/** The parameters that paths may have, with their types: `$teamId` in a pattern is a `TeamId`. */
export type PathParams = {
  projectKey: ProjectKey
  teamId: TeamId
  ticketId: TicketId
  invoiceId: InvoiceId
}

export type ParamName<Pattern extends string> =
  Pattern extends `${string}$${infer Name extends keyof PathParams}/${string}`
    ? Name
    : Pattern extends `${string}$${infer Name extends keyof PathParams}`
      ? Name
      : never

/**
 * Creates the link to the screen at `pattern`, a path in the router's syntax. Called with the value
 * of the pattern's parameter, it returns the URL. It escapes the value, so pages do not build URLs
 * themselves.
 */
const link = <Pattern extends string>(pattern: Pattern) =>
  Object.assign(
    (
      ...[value]: [ParamName<Pattern>] extends [never]
        ? []
        : [value: PathParams[ParamName<Pattern>]]
    ) => pattern.replace(/\$\w+/, () => encodeURIComponent(value ?? '')),
    { pattern },
  )

const team = link('/teams/view/$teamId')

export const paths = {
  home: link('/'),

  login: link('/auth/login'),
  signUp: link('/auth/sign-up'),
  forgotPassword: link('/auth/forgot-password'),
  resetPassword: link('/auth/reset-password'),
  askVerify: link('/auth/ask-verify'),
  verify: link('/auth/verify'),
  externalLogin: link('/auth/login/oauth'),
  projectLogin: link('/auth/code'),
  endSession: link('/auth/end-session'),

  terms: link('/terms'),
  privacy: link('/privacy'),

  projects: link('/projects'),
  createProject: link('/projects/create'),
  project: link('/projects/view/$projectKey'),
  releases: link('/projects/view/$projectKey/releases'),
  logs: link('/projects/view/$projectKey/logs'),
  traffic: link('/projects/view/$projectKey/traffic'),
  backups: link('/projects/view/$projectKey/backups'),
  domains: link('/projects/view/$projectKey/domains'),
  projectActivity: link('/projects/view/$projectKey/activity'),
  projectSettings: link('/projects/view/$projectKey/settings'),

  teams: link('/teams'),
  team,
  /** The team's page, at the field for inviting a user. */
  inviteTo: (id: TeamId) => `${team(id)}#invite`,
  invitations: link('/teams/invitations'),

  tickets: link('/support/tickets'),
  createTicket: link('/support/tickets/create'),
  ticket: link('/support/tickets/view/$ticketId'),

  profile: link('/account/profile'),
  security: link('/account/security'),
  tokens: link('/account/tokens'),
  device: link('/account/device'),
  billing: link('/account/billing/overview'),
  invoices: link('/account/billing/invoices'),
  invoice: link('/account/billing/invoices/view/$invoiceId'),
  payInvoices: link('/account/billing/invoices/pay'),
  addPaymentMethod: link('/account/billing/payment-methods/add'),
}

/**
 * The parameters of a URL with their types: the only place where a string becomes an id. They are
 * not checked here; the server responds "not found" to a malformed one.
 */
export const pathParams = (params: Record<string, string | undefined>) =>
  params as Partial<PathParams>

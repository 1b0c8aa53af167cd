import { getProfile } from '@slipway/contract/account'
import { listSessions } from '@slipway/contract/account-security'
import {
  getActiveInvoice,
  type InvoiceId,
  listInvoices,
  listUnpaidInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { listPersonalTokens } from '@slipway/contract/personal-tokens'
import {
  listProjects,
  type ProjectKey,
  projectPrice,
  viewProject,
} from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { listRuntimes } from '@slipway/contract/runtimes'
import { listLoginProviders } from '@slipway/contract/sessions'
import {
  countUnreadTickets,
  listTickets,
  type TicketId,
  viewTicket,
} from '@slipway/contract/support'
import { listInvitations, listTeams, type TeamId, viewTeam } from '@slipway/contract/teams'
import { queryOptions } from '@tanstack/react-query'
import { pageNumber } from '../search-parameters.ts'
import { type InvoiceView, invoiceView } from './invoice-view.ts'
import { requestQuery } from './request-query.ts'

/** The external identity providers; the auth pages request them without the query client. */
export const loginProvidersQuery = requestQuery(['login-providers'], listLoginProviders)

export const profileQuery = requestQuery(['profile'], getProfile)

/** The regions a project can be created in. Only the server's configuration changes them. */
export const regionsQuery = queryOptions({
  ...requestQuery(['regions'], listRegions),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The teams that the user owns or joined. */
export const teamsQuery = requestQuery(['teams', 'all'], listTeams)

export const teamQuery = (id: TeamId) =>
  requestQuery(['teams', 'view', id], viewTeam, { params: { id } })

export const invitationsQuery = requestQuery(['invitations'], listInvitations)

export const projectsQuery = requestQuery(['projects', 'all'], listProjects)

export const projectQuery = (key: ProjectKey) =>
  requestQuery(['projects', 'view', key], viewProject, { params: { key } })

export const sessionsQuery = requestQuery(['sessions'], listSessions)

export const personalTokensQuery = requestQuery(['personal-tokens'], listPersonalTokens)

export const runtimesQuery = (regionId: string) =>
  requestQuery(['runtimes', regionId], listRuntimes, { query: { regionId } })

export const projectPriceQuery = requestQuery(['project-price'], projectPrice)

export const ticketsQuery = requestQuery(['tickets', 'all'], listTickets)

export const ticketQuery = (id: TicketId) =>
  requestQuery(['tickets', 'view', id], viewTicket, { params: { id } })

/** The number of support tickets with an unread reply. */
export const unreadTicketsQuery = queryOptions({
  ...requestQuery(['tickets', 'unread'], countUnreadTickets),
  select: ({ count }) => count,
})

/** The cost of the user's projects in the current period: so far, and estimated for its end. */
export const activeInvoiceQuery = requestQuery(['invoices', 'active'], getActiveInvoice)

export const unpaidInvoicesQuery = requestQuery(['invoices', 'unpaid'], listUnpaidInvoices)

/** A page of the user's issued invoices, the newest first by default. */
export const invoicesQuery = (page: number, view: InvoiceView = {}) =>
  requestQuery(['invoices', 'all', page, view], listInvoices, { query: { page, ...view } })

/** The invoices query for the search parameters of a URL. */
export const invoicesQueryOf = (search: Record<string, unknown>) =>
  invoicesQuery(pageNumber(search.page), invoiceView(search))

/** The user's latest invoices, for the palette: as many as one page can have. */
export const latestInvoicesQuery = queryOptions({
  ...requestQuery(['invoices', 'all', 'latest'], listInvoices, { query: { perPage: 100 } }),
  select: ({ items }) => items,
})

export const invoiceQuery = (id: InvoiceId) =>
  requestQuery(['invoices', 'view', id], viewInvoice, { params: { id } })

/** The cards of the user, the default first. */
export const paymentMethodsQuery = requestQuery(['payment-methods', 'all'], listPaymentMethods)

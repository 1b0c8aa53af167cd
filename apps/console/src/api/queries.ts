import { getProfile } from '@slipway/contract/account'
import {
  getActiveInvoice,
  type InvoiceId,
  listInvoices,
  listUnpaidInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import {
  listProjects,
  type ProjectKey,
  projectPrice,
  viewProject,
} from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
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

/** The outside identity providers; the auth pages request them without the query client. */
export const loginProvidersQuery = requestQuery(['login-providers'], listLoginProviders)

/** The signed-in user. */
export const profileQuery = requestQuery(['profile'], getProfile)

/** The regions a project can be created in; they change with the server's configuration alone. */
export const regionsQuery = queryOptions({
  ...requestQuery(['regions'], listRegions),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The teams that the user owns or joined. */
export const teamsQuery = requestQuery(['teams', 'all'], listTeams)

/** A team with its users and invitations. */
export const teamQuery = (id: TeamId) =>
  requestQuery(['teams', 'view', id], viewTeam, { params: { id } })

/** The invitations that wait for an answer of the user. */
export const invitationsQuery = requestQuery(['invitations'], listInvitations)

/** The projects of the user's teams. */
export const projectsQuery = requestQuery(['projects', 'all'], listProjects)

/** A project with its metadata, by its key. */
export const projectQuery = (key: ProjectKey) =>
  requestQuery(['projects', 'view', key], viewProject, { params: { key } })

/** What a project costs from now on. */
export const projectPriceQuery = requestQuery(['project-price'], projectPrice)

/** The support tickets of the user. */
export const ticketsQuery = requestQuery(['tickets', 'all'], listTickets)

/** A support ticket with its messages. */
export const ticketQuery = (id: TicketId) =>
  requestQuery(['tickets', 'view', id], viewTicket, { params: { id } })

/** How many support tickets have a reply that was not seen. */
export const unreadTicketsQuery = queryOptions({
  ...requestQuery(['tickets', 'unread'], countUnreadTickets),
  select: ({ count }) => count,
})

/** What the user's projects cost in the current period, so far and by its end. */
export const activeInvoiceQuery = requestQuery(['invoices', 'active'], getActiveInvoice)

/** The invoices that the user has to pay. */
export const unpaidInvoicesQuery = requestQuery(['invoices', 'unpaid'], listUnpaidInvoices)

/** A page of the user's issued invoices; the newest first, unless they are wanted otherwise. */
export const invoicesQuery = (page: number, view: InvoiceView = {}) =>
  requestQuery(['invoices', 'all', page, view], listInvoices, { query: { page, ...view } })

/** The page of the invoices that an address names, by its query parameters. */
export const invoicesAtAddress = (search: Record<string, unknown>) =>
  invoicesQuery(pageNumber(search.page), invoiceView(search))

/** The user's latest invoices, as many as a page has at most: among them is whichever somebody looks for. */
export const latestInvoicesQuery = queryOptions({
  ...requestQuery(['invoices', 'all', 'latest'], listInvoices, { query: { perPage: 100 } }),
  select: ({ items }) => items,
})

/** An issued invoice with its items. */
export const invoiceQuery = (id: InvoiceId) =>
  requestQuery(['invoices', 'view', id], viewInvoice, { params: { id } })

/** The cards of the user, the default first. */
export const paymentMethodsQuery = requestQuery(['payment-methods', 'all'], listPaymentMethods)

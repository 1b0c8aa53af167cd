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
import {
  countUnreadTickets,
  listTickets,
  type TicketId,
  viewTicket,
} from '@slipway/contract/support'
import { listInvitations, listTeams, type TeamId, viewTeam } from '@slipway/contract/teams'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import type { InvoiceView } from './invoice-view.ts'

/** The signed-in user. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(getProfile, undefined, signal),
})

/** The regions a project can be created in; they change with the server's configuration alone. */
export const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: ({ signal }) => call(listRegions, undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The teams that the user owns or joined. */
export const teamsQuery = queryOptions({
  queryKey: ['teams', 'all'],
  queryFn: ({ signal }) => call(listTeams, undefined, signal),
})

/** A team with its users and invitations. */
export const teamQuery = (id: TeamId) =>
  queryOptions({
    queryKey: ['teams', 'view', id],
    queryFn: ({ signal }) => call(viewTeam, { params: { id } }, signal),
  })

/** The invitations that wait for an answer of the user. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => call(listInvitations, undefined, signal),
})

/** The projects of the user's teams. */
export const projectsQuery = queryOptions({
  queryKey: ['projects', 'all'],
  queryFn: ({ signal }) => call(listProjects, undefined, signal),
})

/** A project with its metadata, by its key. */
export const projectQuery = (key: ProjectKey) =>
  queryOptions({
    queryKey: ['projects', 'view', key],
    queryFn: ({ signal }) => call(viewProject, { params: { key } }, signal),
  })

/** What a project costs from now on. */
export const projectPriceQuery = queryOptions({
  queryKey: ['project-price'],
  queryFn: ({ signal }) => call(projectPrice, undefined, signal),
})

/** The support tickets of the user. */
export const ticketsQuery = queryOptions({
  queryKey: ['tickets', 'all'],
  queryFn: ({ signal }) => call(listTickets, undefined, signal),
})

/** A support ticket with its messages. */
export const ticketQuery = (id: TicketId) =>
  queryOptions({
    queryKey: ['tickets', 'view', id],
    queryFn: ({ signal }) => call(viewTicket, { params: { id } }, signal),
  })

/** How many support tickets have a reply that was not seen. */
export const unreadTicketsQuery = queryOptions({
  queryKey: ['tickets', 'unread'],
  queryFn: ({ signal }) => call(countUnreadTickets, undefined, signal),
  select: ({ count }) => count,
})

/** What the user's projects cost in the current period, so far and by its end. */
export const activeInvoiceQuery = queryOptions({
  queryKey: ['invoices', 'active'],
  queryFn: ({ signal }) => call(getActiveInvoice, undefined, signal),
})

/** The invoices that the user has to pay. */
export const unpaidInvoicesQuery = queryOptions({
  queryKey: ['invoices', 'unpaid'],
  queryFn: ({ signal }) => call(listUnpaidInvoices, undefined, signal),
})

/** A page of the user's issued invoices; the newest first, unless they are wanted otherwise. */
export const invoicesQuery = (page: number, view: InvoiceView = {}) =>
  queryOptions({
    queryKey: ['invoices', 'all', page, view],
    queryFn: ({ signal }) => call(listInvoices, { query: { page, ...view } }, signal),
  })

/** The user's latest invoices, as many as a page has at most: among them is whichever somebody looks for. */
export const latestInvoicesQuery = queryOptions({
  queryKey: ['invoices', 'all', 'latest'],
  queryFn: ({ signal }) => call(listInvoices, { query: { perPage: 100 } }, signal),
  select: ({ items }) => items,
})

/** An issued invoice with its items. */
export const invoiceQuery = (id: InvoiceId) =>
  queryOptions({
    queryKey: ['invoices', 'view', id],
    queryFn: ({ signal }) => call(viewInvoice, { params: { id } }, signal),
  })

/** The cards of the user, the default first. */
export const paymentMethodsQuery = queryOptions({
  queryKey: ['payment-methods', 'all'],
  queryFn: ({ signal }) => call(listPaymentMethods, undefined, signal),
})

import type { InvoiceId } from '@slipway/contract/invoices'
import type { ProjectKey } from '@slipway/contract/projects'
import type { TicketId } from '@slipway/contract/support'
import type { TeamId } from '@slipway/contract/teams'
import { pageNumber } from '../search-parameters.ts'
import { invoiceView } from './invoice-view.ts'
import {
  activeInvoiceQuery,
  invitationsQuery,
  invoiceQuery,
  invoicesQuery,
  paymentMethodsQuery,
  profileQuery,
  projectPriceQuery,
  projectQuery,
  projectsQuery,
  regionsQuery,
  teamQuery,
  teamsQuery,
  ticketQuery,
  ticketsQuery,
  unpaidInvoicesQuery,
} from './queries.ts'
import { queryClient } from './query-client.ts'

/** What each screen asks for, started when its link is pointed at or its code is still on its way. */
export const prefetch = {
  account: () => {
    void queryClient.prefetchQuery(profileQuery)
    void queryClient.prefetchQuery(regionsQuery)
  },
  teams: () => void queryClient.prefetchQuery(teamsQuery),
  team: (id: TeamId) => void queryClient.prefetchQuery(teamQuery(id)),
  invitations: () => void queryClient.prefetchQuery(invitationsQuery),
  projects: () => void queryClient.prefetchQuery(projectsQuery),
  projectPrice: () => void queryClient.prefetchQuery(projectPriceQuery),
  project: (key: ProjectKey) => void queryClient.prefetchQuery(projectQuery(key)),
  tickets: () => void queryClient.prefetchQuery(ticketsQuery),
  ticket: (id: TicketId) => void queryClient.prefetchQuery(ticketQuery(id)),
  billing: () => {
    void queryClient.prefetchQuery(activeInvoiceQuery)
    void queryClient.prefetchQuery(unpaidInvoicesQuery)
    void queryClient.prefetchQuery(paymentMethodsQuery)
  },
  /** `address`: its query parameters. */
  invoices: (address: Record<string, unknown>) =>
    void queryClient.prefetchQuery(invoicesQuery(pageNumber(address.page), invoiceView(address))),
  invoice: (id: InvoiceId) => void queryClient.prefetchQuery(invoiceQuery(id)),
  payment: () => {
    void queryClient.prefetchQuery(unpaidInvoicesQuery)
    void queryClient.prefetchQuery(paymentMethodsQuery)
  },
}

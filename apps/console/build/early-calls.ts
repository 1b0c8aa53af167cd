import { getProfile } from '@slipway/contract/account'
import { requestPath } from '@slipway/contract/client'
import type { Endpoint } from '@slipway/contract/endpoint'
import {
  getActiveInvoice,
  listInvoices,
  listUnpaidInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { listProjects, projectPrice, viewProject } from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { listLoginProviders } from '@slipway/contract/sessions'
import { listTickets, viewTicket } from '@slipway/contract/support'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import type { ScreenModules } from './screens.ts'

type Call = string

/** A call without anything that varies but what the screen's path says: a parameter stands as `$1`. */
const plain = (endpoint: Endpoint): Call => endpoint.path.replace(/:\w+/, '$1')

/** What a layout of the router, or the screen at a path, asks for before it shows anything. */
const callsOfLayouts: Record<string, Call[]> = {
  app: [getProfile, listRegions].map(plain),
  withTeams: [plain(listTeams)],
}
const callsOfScreens: Record<string, Call[]> = {
  '/auth/login': [plain(listLoginProviders)],
  '/auth/sign-up': [plain(listLoginProviders)],
  '/projects': [plain(listProjects)],
  '/projects/create': [plain(projectPrice)],
  '/projects/view/$projectKey': [plain(viewProject)],
  '/teams': [listTeams, listInvitations].map(plain),
  '/teams/view/$teamId': [plain(viewTeam)],
  '/teams/invitations': [plain(listInvitations)],
  '/support/tickets': [plain(listTickets)],
  '/support/tickets/view/$ticketId': [plain(viewTicket)],
  '/account/billing/overview': [getActiveInvoice, listUnpaidInvoices, listPaymentMethods].map(
    plain,
  ),
  '/account/billing/invoices': [requestPath(listInvoices, { query: { page: 1 } })],
  '/account/billing/invoices/view/$invoiceId': [plain(viewInvoice)],
  '/account/billing/invoices/pay': [listUnpaidInvoices, listPaymentMethods].map(plain),
}

/**
 * The paths, below the API's base, of the calls that a screen begins with; a parameter of the screen's
 * path stands there as `$1`. One with a query is that of the screen without a query of its own. The page
 * makes them before the program has come: `src/api/early-answers.ts`.
 */
export const earlyCallsOf = ({ path, layouts }: ScreenModules) => [
  ...layouts.flatMap((layout) => callsOfLayouts[layout] ?? []),
  ...(callsOfScreens[path] ?? []),
]

import type { InvoiceId } from '@slipway/contract/invoices'
import { paths } from '../../apps/console/src/paths.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import type { Account } from './account.ts'

export type Route = {
  path: string
  /** What it is called in a table. */
  name: string
  /** Whose session it is opened with. */
  as: 'guest' | 'unverified' | 'user'
}

/**
 * Every screen of the console that is built, with a project and a ticket to be looked at, and what `invoiceOf`
 * gives for the project; nobody has an invoice who has just come, and what shows it is loaded all the same.
 */
export async function consoleRoutes(
  user: Account,
  invoiceOf: (key: string) => Promise<InvoiceId> = async () => 'none' as InvoiceId,
): Promise<Route[]> {
  const { key } = await user.create('Example shop')
  await until(async () => (await user.view(key)).state === 'ready')
  const ticket = await user.openTicket('Example question')
  const route = (path: string, as: Route['as'], name = path.split('?')[0] ?? path): Route => ({
    path,
    name,
    as,
  })
  const named = ({ pattern }: { pattern: string }) => pattern.replace(/\$(\w+)/, '{$1}')
  return [
    route(paths.login(), 'guest'),
    route(paths.signUp(), 'guest'),
    route(paths.forgotPassword(), 'guest'),
    route(`${paths.resetPassword()}?token=example`, 'guest'),
    route(`${paths.verify()}?token=example`, 'guest'),
    route(paths.askVerify(), 'unverified'),
    route(paths.terms(), 'guest'),
    route(paths.privacy(), 'guest'),
    route(paths.projects(), 'user'),
    route(paths.createProject(), 'user'),
    route(paths.project(key), 'user', named(paths.project)),
    route(paths.teams(), 'user'),
    route(paths.team(user.teamId), 'user', named(paths.team)),
    route(paths.invitations(), 'user'),
    route(paths.tickets(), 'user'),
    route(paths.createTicket(), 'user'),
    route(paths.ticket(ticket.id), 'user', named(paths.ticket)),
    route(paths.profile(), 'user'),
    route(paths.billing(), 'user'),
    route(paths.addPaymentMethod(), 'user'),
    route(paths.invoices(), 'user'),
    route(paths.invoice(await invoiceOf(key)), 'user', named(paths.invoice)),
    route(paths.payInvoices(), 'user'),
    route('/nothing/here', 'guest', 'a page that is not there'),
  ]
}

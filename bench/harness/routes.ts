import type { InvoiceId } from '@slipway/contract/invoices'
import type { PathParams } from '../../apps/console/src/paths.ts'
import { needsSession } from '../../apps/console/src/screens/screen-facts.ts'
import { screenFiles } from '../../apps/console/src/screens/screen-files.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import type { Account } from './account.ts'

export type Route = {
  path: string
  /** Its name in a table. */
  name: string
  /** The session that it is opened with. */
  as: 'guest' | 'unverified' | 'user'
}

/** The query strings that screens need to show what they are for. */
const searches: Record<string, string> = {
  '/auth/reset-password': '?token=example',
  '/auth/verify': '?token=example',
}

/**
 * Every screen of the console, with a project and a ticket of the user, and the invoice that
 * `invoiceOf` gives for the project. A new user has no invoice; the screen loads the same code.
 */
export async function consoleRoutes(
  user: Account,
  invoiceOf: (key: string) => Promise<InvoiceId> = async () => 'none' as InvoiceId,
): Promise<Route[]> {
  const { key } = await user.create('Example shop')
  await until(async () => (await user.view(key)).state === 'ready')
  const params: Partial<PathParams> = {
    projectKey: key,
    teamId: user.teamId,
    ticketId: (await user.openTicket('Example question')).id,
    invoiceId: await invoiceOf(key),
  }
  const routes = (await screenFiles()).map(({ path, layout, isForUnverified }): Route => {
    const as = isForUnverified ? 'unverified' : needsSession(layout) ? 'user' : 'guest'
    return {
      path:
        path.replace(/\$(\w+)/, (_, name) => params[name as keyof PathParams] ?? 'none') +
        (searches[path] ?? ''),
      name: path.replace(/\$(\w+)/, '{$1}'),
      as,
    }
  })
  return [...routes, { path: '/nothing/here', name: 'a page that is not there', as: 'guest' }]
}

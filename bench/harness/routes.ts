import type { InvoiceId } from '@slipway/contract/invoices'
import type { PathParams } from '../../apps/console/src/paths.ts'
import { needsSession } from '../../apps/console/src/screens/screen-facts.ts'
import { screenFiles } from '../../apps/console/src/screens/screen-files.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import type { Account } from './account.ts'

export type BenchmarkedScreen = {
  path: string
  /** Its name in a table. */
  name: string
  visitor: 'guest' | 'unverified' | 'user'
}

/** The query strings without which a screen shows only an error. */
const queryStrings: Record<string, string> = {
  '/auth/reset-password': '?token=example',
  '/auth/verify': '?token=example',
}

/**
 * Every screen of the console. Creates a project and a ticket for their pages. `invoiceOf` returns
 * an invoice of the project; without it the page of a missing invoice is measured, which loads the
 * same code.
 */
export async function consoleRoutes(
  user: Account,
  invoiceOf: (key: string) => Promise<InvoiceId> = async () => 'none' as InvoiceId,
): Promise<BenchmarkedScreen[]> {
  const { key } = await user.createProject('Example shop')
  await until(async () => (await user.viewProject(key)).state === 'ready')
  const params: Partial<PathParams> = {
    projectKey: key,
    teamId: user.teamId,
    ticketId: (await user.openTicket('Example question')).id,
    invoiceId: await invoiceOf(key),
  }
  const routes = (await screenFiles()).map(
    ({ path, layout, isForUnverified }): BenchmarkedScreen => {
      const visitor = isForUnverified ? 'unverified' : needsSession(layout) ? 'user' : 'guest'
      return {
        path:
          path.replace(/\$(\w+)/, (_, name) => params[name as keyof PathParams] ?? 'none') +
          (queryStrings[path] ?? ''),
        name: path.replace(/\$(\w+)/, '{$1}'),
        visitor,
      }
    },
  )
  return [...routes, { path: '/nothing/here', name: 'an unknown page', visitor: 'guest' }]
}

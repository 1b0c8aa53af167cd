import type { RequestOf } from '@slipway/contract/endpoint'
import { invoiceListStates, invoiceSortKeys, type listInvoices } from '@slipway/contract/invoices'

type Query = NonNullable<RequestOf<typeof listInvoices>['query']>

/** Which invoices are shown, and in which order; nothing of it is asked for when it is not given. */
export type InvoiceView = Pick<Query, 'state' | 'sort' | 'search'>

/** As the contract has it: no id is longer. */
const longest = 36

/** What an address says of the list of invoices, as the server takes it; what it does not know is left out. */
export function invoiceView(address: Record<string, unknown>): InvoiceView {
  const search = typeof address.search === 'string' ? address.search.trim().slice(0, longest) : ''
  const sorts = invoiceSortKeys.flatMap((key) => [key, `-${key}`] as const)
  return {
    state: invoiceListStates.find((state) => state === address.state),
    sort: sorts.find((sort) => sort === address.sort),
    search: search || undefined,
  }
}

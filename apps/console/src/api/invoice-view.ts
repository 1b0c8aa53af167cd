import type { RequestOf } from '@slipway/contract/endpoint'
import { invoiceListStates, invoiceSortKeys, type listInvoices } from '@slipway/contract/invoices'

type Query = NonNullable<RequestOf<typeof listInvoices>['query']>

/** The filter and the order of the list of invoices. */
export type InvoiceView = Pick<Query, 'state' | 'sort' | 'search'>

/** The contract's limit: the length of an id. */
const maxSearchLength = 36

/** The view of the list of invoices that a URL's query names; unknown values are ignored. */
export function invoiceView(query: Record<string, unknown>): InvoiceView {
  const search =
    typeof query.search === 'string' ? query.search.trim().slice(0, maxSearchLength) : ''
  const sorts = invoiceSortKeys.flatMap((key) => [key, `-${key}`] as const)
  return {
    state: invoiceListStates.find((state) => state === query.state),
    sort: sorts.find((sort) => sort === query.sort),
    search: search || undefined,
  }
}

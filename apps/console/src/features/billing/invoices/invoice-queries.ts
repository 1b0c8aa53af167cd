import type { Invoice, InvoiceId } from '@slipway/contract/invoices'
import { second } from '@slipway/contract/limits'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InvoiceView } from '../../../api/invoice-view.ts'
import { useConnectionState } from '../../../api/live-updates.ts'
import {
  invoiceQuery,
  invoicesQuery,
  paymentMethodsQuery,
  unpaidInvoicesQuery,
} from '../../../api/queries.ts'

/** How often to refetch payment states without live updates. */
const pollInterval = 15 * second

const useRefetchInterval = () => (useConnectionState() === 'connected' ? false : pollInterval)

/** A page of the invoices; shows the previous page until it is loaded. */
export const useInvoices = (page: number, view: InvoiceView) =>
  useQuery({
    ...invoicesQuery(page, view),
    refetchInterval: useRefetchInterval(),
    placeholderData: keepPreviousData,
  })

export const useInvoice = (id: InvoiceId) =>
  useQuery({ ...invoiceQuery(id), refetchInterval: useRefetchInterval() })

export type PaymentOptions = { invoices: Invoice[]; methods: PaymentMethod[] }

/** The unpaid invoices and the payment methods as one query: the form needs both. */
export function usePaymentOptions() {
  const unpaid = useQuery({ ...unpaidInvoicesQuery, refetchInterval: useRefetchInterval() })
  const methods = useQuery(paymentMethodsQuery)
  const data = useMemo(
    (): PaymentOptions | undefined =>
      unpaid.data && methods.data && { invoices: unpaid.data, methods: methods.data },
    [unpaid.data, methods.data],
  )
  return {
    data,
    error: unpaid.error ?? methods.error,
    isFetching: unpaid.isFetching || methods.isFetching,
    refetch: () => Promise.all([unpaid.refetch(), methods.refetch()]),
  }
}

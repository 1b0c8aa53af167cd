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
import { overdueRefetchInterval } from '../overdue-refetch.ts'

/** How often to refetch payment states without live updates. */
const pollInterval = 15 * second

function useRefetchInterval() {
  const isConnected = useConnectionState() === 'connected'
  return (invoices: readonly Invoice[] = []) =>
    isConnected ? overdueRefetchInterval(invoices, Date.now()) : pollInterval
}

/** A page of the invoices; shows the previous page until it is loaded. */
export function useInvoices(page: number, view: InvoiceView) {
  const refetchInterval = useRefetchInterval()
  return useQuery({
    ...invoicesQuery(page, view),
    refetchInterval: ({ state }) => refetchInterval(state.data?.items),
    placeholderData: keepPreviousData,
  })
}

export function useInvoice(id: InvoiceId) {
  const refetchInterval = useRefetchInterval()
  return useQuery({
    ...invoiceQuery(id),
    refetchInterval: ({ state }) => refetchInterval(state.data && [state.data]),
  })
}

export function useUnpaidInvoices() {
  const refetchInterval = useRefetchInterval()
  return useQuery({
    ...unpaidInvoicesQuery,
    refetchInterval: ({ state }) => refetchInterval(state.data),
  })
}

export type PaymentOptions = { invoices: Invoice[]; methods: PaymentMethod[] }

/** The unpaid invoices and the payment methods as one query: the form needs both. */
export function usePaymentOptions() {
  const unpaid = useUnpaidInvoices()
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

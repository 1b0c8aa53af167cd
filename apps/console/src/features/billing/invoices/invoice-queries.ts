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

/** How often a payment's outcome is asked for where live updates cannot get through. */
const withoutLiveUpdates = 15 * second

const useRefetchInterval = () => (useConnectionState() === 'connected' ? false : withoutLiveUpdates)

/** A page of the invoices, kept fresh; what was shown before stays until it is there. */
export const useInvoices = (page: number, view: InvoiceView) =>
  useQuery({
    ...invoicesQuery(page, view),
    refetchInterval: useRefetchInterval(),
    placeholderData: keepPreviousData,
  })

/** An invoice, kept fresh. */
export const useInvoice = (id: InvoiceId) =>
  useQuery({ ...invoiceQuery(id), refetchInterval: useRefetchInterval() })

export type WhatToPay = { invoices: Invoice[]; methods: PaymentMethod[] }

/** What there is to pay, and with what: one query, because choosing needs both. */
export function useWhatToPay() {
  const unpaid = useQuery({ ...unpaidInvoicesQuery, refetchInterval: useRefetchInterval() })
  const methods = useQuery(paymentMethodsQuery)
  const data = useMemo(
    (): WhatToPay | undefined =>
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

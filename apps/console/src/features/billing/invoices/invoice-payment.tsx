import type { Invoice } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { failureText, invoiceState } from './invoice-states.ts'

/** The state of the last payment: in progress, failed with a reason, or just succeeded. */
export function InvoicePayment({ invoice }: { invoice: Invoice }) {
  const state = invoiceState(invoice)
  const failure = failureText(invoice)
  const isPaid = state === 'paid'
  const wasPaid = useRef(isPaid)
  const [isNewlyPaid, setIsNewlyPaid] = useState(false)
  useEffect(() => {
    if (isPaid && !wasPaid.current) setIsNewlyPaid(true)
    wasPaid.current = isPaid
  }, [isPaid])

  if (state === 'in_progress')
    return <Alert kind="info">{m.invoices_payment_in_progress_hint()}</Alert>
  if (failure) return <Alert kind="failure">{m.invoices_payment_failed({ reason: failure })}</Alert>
  if (isNewlyPaid) return <Alert kind="success">{m.invoices_now_paid()}</Alert>
  return null
}

import type { Invoice } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDot from 'lucide-react/icons/circle-dot'
import Hourglass from 'lucide-react/icons/hourglass'
import type { ComponentType } from 'react'
import { paymentFailureText } from '../../../api/payment-failure.ts'
import type { BadgeTone } from '../../../ui/badge.tsx'

export type InvoiceState = 'paid' | 'in_progress' | 'overdue' | 'unpaid'

export function invoiceState({ paidAt, payment, overdue }: Invoice): InvoiceState {
  if (paidAt !== null) return 'paid'
  if (payment?.state === 'in_progress') return 'in_progress'
  return overdue ? 'overdue' : 'unpaid'
}

/** An invoice whose payment is in progress must not be paid twice. */
export const isPayable = (invoice: Invoice) =>
  invoice.paidAt === null && invoice.payment?.state !== 'in_progress'

/** Why the last payment of an unpaid invoice failed; null if none failed. */
export const failureText = ({ paidAt, payment }: Invoice) =>
  paidAt === null && payment?.state === 'failed' ? paymentFailureText(payment.failure) : null

type StateDisplay = {
  label: () => string
  tone: BadgeTone
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
}

export const invoiceStates: Record<InvoiceState, StateDisplay> = {
  paid: { label: () => m.invoices_state_paid(), tone: 'success', icon: CircleCheck },
  in_progress: {
    label: () => m.invoices_state_in_progress(),
    tone: 'secondary',
    icon: Hourglass,
  },
  overdue: { label: () => m.invoices_state_overdue(), tone: 'danger', icon: CircleAlert },
  unpaid: { label: () => m.invoices_state_unpaid(), tone: 'warning', icon: CircleDot },
}

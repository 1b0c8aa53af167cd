import type { Invoice } from '@slipway/contract/invoices'
import { Badge } from '../../../ui/badge.tsx'
import { invoiceState, invoiceStates } from './invoice-states.ts'

export function InvoiceStateBadge({ invoice }: { invoice: Invoice }) {
  const { label, tone, icon } = invoiceStates[invoiceState(invoice)]
  return (
    <Badge tone={tone} icon={icon}>
      {label()}
    </Badge>
  )
}

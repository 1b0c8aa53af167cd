import type { Invoice, InvoiceId } from '@slipway/contract/invoices'
import { formatPeriod, getLocale, m } from '@slipway/phrases'
import { useId } from 'react'
import { Amount } from '../amount.tsx'
import { InvoiceStateBadge } from '../invoices/invoice-state-badge.tsx'
import { failureText, invoiceState, isPayable } from '../invoices/invoice-states.ts'
import { Choice, Choices } from './pay-choice.tsx'
import { payableIds } from './pay-selection.ts'

type Props = {
  invoices: readonly Invoice[]
  selected: readonly InvoiceId[]
  error: string | undefined
  disabled: boolean
  onChange: (selected: InvoiceId[]) => void
}

/** The unpaid invoices. One whose payment is in progress is disabled and says why. */
export function InvoiceChoice({ invoices, selected, error, disabled, onChange }: Props) {
  const errorId = useId()
  const payable = payableIds(invoices)
  const errorAttributes = error ? { 'aria-invalid': true, 'aria-describedby': errorId } : {}
  return (
    <Choices legend={m.payments_screen_invoices()} error={error} errorId={errorId}>
      {payable.length > 1 && (
        <Choice
          type="checkbox"
          checked={selected.length === payable.length}
          isOneLine
          partly={selected.length > 0 && selected.length < payable.length}
          disabled={disabled}
          {...errorAttributes}
          onChange={(event) => onChange(event.target.checked ? payable : [])}
        >
          {m.payments_screen_select_all()}
        </Choice>
      )}
      {invoices.map((invoice) => (
        <Choice
          key={invoice.id}
          type="checkbox"
          checked={selected.includes(invoice.id)}
          disabled={disabled || !isPayable(invoice)}
          // A disabled invoice is not invalid and gets no focus.
          {...(isPayable(invoice) ? errorAttributes : {})}
          onChange={(event) =>
            onChange(
              event.target.checked
                ? [...selected, invoice.id]
                : selected.filter((id) => id !== invoice.id),
            )
          }
        >
          <InvoiceLine invoice={invoice} />
        </Choice>
      ))}
    </Choices>
  )
}

function InvoiceLine({ invoice }: { invoice: Invoice }) {
  const failure = failureText(invoice)
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          {formatPeriod(invoice.createdAt, invoice.endsAt, getLocale())}
        </span>
        <span className="ml-auto">
          <Amount value={invoice.amount} />
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <InvoiceStateBadge invoice={invoice} />
        {invoiceState(invoice) === 'in_progress' && <span>{m.payments_screen_in_progress()}</span>}
        {failure && <span>{m.payments_screen_last_failure({ reason: failure })}</span>}
      </span>
    </span>
  )
}

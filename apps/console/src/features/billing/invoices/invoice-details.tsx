import type { ResponseOf } from '@slipway/contract/endpoint'
import { settledAmount } from '@slipway/contract/invoice-totals'
import type { viewInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { chargedText, chargeNotes, isFree, settledText } from '../billing-figures.ts'
import { cardName, countryNames } from '../payment-methods/card-names.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'
import { InvoiceStateBadge } from './invoice-state-badge.tsx'
import { invoiceState } from './invoice-states.ts'

export type InvoiceView = ResponseOf<typeof viewInvoice>

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid min-w-0 content-start gap-1">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)

const lineClass = 'border-t border-line pt-6'

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-6">{children}</dl>
)

const Parties = ({ children }: { children: ReactNode }) => (
  <dl className={`grid gap-6 sm:grid-cols-2 ${lineClass}`}>{children}</dl>
)

const TaxNumber = ({ number }: { number: string | null }) =>
  number && <span className="text-muted">{m.invoices_tax_number({ number })}</span>

const BilledTo = ({ to: { name, email, taxNumber, address } }: { to: InvoiceView['billedTo'] }) => (
  <span className="grid min-w-0">
    <span className="font-medium">{name}</span>
    {address && (
      <>
        <span>{address.address}</span>
        <span>
          {address.district}, {address.city}
        </span>
        <span>{countryNames[address.country]()}</span>
      </>
    )}
    <TaxNumber number={taxNumber} />
    <span className="text-muted">{email}</span>
  </span>
)

const Seller = ({ from: { name, address, taxNumber } }: { from: InvoiceView['seller'] }) => (
  <span className="grid min-w-0">
    <span className="font-medium">{name}</span>
    {address.map((line) => (
      <span key={line}>{line}</span>
    ))}
    <TaxNumber number={taxNumber} />
  </span>
)

/** The state and the number, beside the heading. */
export const StateLine = ({ invoice }: { invoice: InvoiceView }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <VisuallyHidden>{m.invoices_state()}: </VisuallyHidden>
    <InvoiceStateBadge invoice={invoice} />
    {invoice.number !== null && (
      <CopyValue text={invoice.number} label={m.invoices_copy_number()}>
        <VisuallyHidden>{m.invoices_number()}: </VisuallyHidden>
        {invoice.number}
      </CopyValue>
    )}
  </span>
)

/** What the card was charged, with a note if the charge covers several invoices. */
function Charged({ charge }: { charge: NonNullable<InvoiceView['charge']> }) {
  if (isFree(charge.amount)) return m.invoices_charge_nothing()
  const notes = chargeNotes(charge)
  return (
    <>
      {chargedText(charge.chargedAmount)}
      {notes && <span className="block text-muted">{notes}</span>}
    </>
  )
}

const amountClass = 'text-2xl leading-8 font-semibold tracking-tight'

/** When the invoice is due or was paid. A payment in progress has no due date to meet. */
function Status({ invoice }: { invoice: InvoiceView }) {
  const day = formatUtcDate(invoice.paidAt ?? invoice.dueAt, getLocale(), {
    month: 'long',
    year: true,
  })
  const state = invoiceState(invoice)
  if (state === 'overdue')
    return <p className="font-medium text-danger">{m.invoices_due_late({ day })}</p>
  const texts = {
    paid: m.invoices_paid_on,
    in_progress: m.invoices_state_in_progress,
    unpaid: m.invoices_due_now,
  }
  return <p className="text-muted">{texts[state]({ day })}</p>
}

const Headline = ({ invoice }: { invoice: InvoiceView }) => (
  <div>
    <p className={amountClass}>{settledText(settledAmount(invoice))}</p>
    <Status invoice={invoice} />
  </div>
)

/** The invoice as its PDF has it: amount, dates, payment, seller and buyer, then its items. */
export const InvoiceDetails = ({
  invoice,
  children,
}: {
  invoice: InvoiceView
  children: ReactNode
}) => (
  <Card>
    <div className="grid gap-6">
      <Headline invoice={invoice} />
      <Facts>
        <Fact label={m.invoices_start_date()}>
          <InvoiceStart value={invoice.createdAt} />
        </Fact>
        <Fact label={m.invoices_issue_date()}>
          {invoice.issuedAt && <InvoiceDay value={invoice.issuedAt} />}
        </Fact>
        <Fact label={m.invoices_due_date()}>
          <InvoiceDay value={invoice.dueAt} />
        </Fact>
        <Fact label={m.invoices_paid_date()}>
          {invoice.paidAt ? (
            <InvoiceDay value={invoice.paidAt} />
          ) : (
            <span className="text-muted">{m.invoices_not_paid()}</span>
          )}
        </Fact>
        {invoice.paidWith && (
          <Fact label={m.invoices_paid_with()}>{cardName(invoice.paidWith)}</Fact>
        )}
        {invoice.charge && (
          <Fact label={m.invoices_charged()}>
            <Charged charge={invoice.charge} />
          </Fact>
        )}
      </Facts>
      <Parties>
        <Fact label={m.invoices_seller()}>
          <Seller from={invoice.seller} />
        </Fact>
        <Fact label={m.invoices_billed_to()}>
          <BilledTo to={invoice.billedTo} />
        </Fact>
      </Parties>
      <div className={lineClass}>{children}</div>
    </div>
  </Card>
)

export const InvoiceFootnotes = ({ invoice: { id } }: { invoice: InvoiceView }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3 text-muted">
    <DatesInUtc />
    <dl className="flex flex-wrap gap-x-2">
      <dt>{m.invoices_id()}</dt>
      <dd>
        <CopyValue text={id} label={m.invoices_copy_id()}>
          <code className="font-mono text-xs sm:text-sm">{id}</code>
        </CopyValue>
      </dd>
    </dl>
  </div>
)

export const InvoiceDetailsSkeleton = ({ children }: { children: ReactNode }) => (
  <Card>
    <div className="grid gap-6">
      <div>
        <p className={amountClass}>
          <Skeleton className="w-32" />
        </p>
        <p>
          <Skeleton className="w-48" />
        </p>
      </div>
      <Facts>
        {[
          m.invoices_start_date(),
          m.invoices_issue_date(),
          m.invoices_due_date(),
          m.invoices_paid_date(),
        ].map((label) => (
          <Fact key={label} label={label}>
            <Skeleton className="w-24" />
          </Fact>
        ))}
      </Facts>
      <Parties>
        {[m.invoices_seller(), m.invoices_billed_to()].map((label) => (
          <Fact key={label} label={label}>
            <Skeleton className="w-32" />
          </Fact>
        ))}
      </Parties>
      <div className={lineClass}>{children}</div>
    </div>
  </Card>
)

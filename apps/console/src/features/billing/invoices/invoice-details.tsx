import type { ResponseOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { chargedText, chargeNotes, isFree } from '../billing-figures.ts'
import { cardName, countryNames } from '../payment-methods/card-names.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'
import { InvoiceStateBadge } from './invoice-state-badge.tsx'

export type InvoiceView = ResponseOf<typeof viewInvoice>

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid min-w-0 content-start gap-1">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)

const lineClass = 'border-t border-line pt-6'

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">{children}</dl>
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

/** The charged amount: the invoice's amount rounded to cents. */
function Charged({ charge }: { charge: NonNullable<InvoiceView['charge']> }) {
  if (isFree(charge.amount)) return m.invoices_charge_nothing()
  const remarks = chargeNotes(charge)
  return (
    <span className="flex flex-wrap gap-x-2">
      <span>{chargedText(charge.chargedAmount)}</span>
      {remarks && <span className="text-muted">{remarks}</span>}
    </span>
  )
}

const Payment = ({ invoice: { paidWith, charge } }: { invoice: InvoiceView }) => (
  <dl className={`flex flex-wrap gap-x-4 gap-y-1 ${lineClass}`}>
    {paidWith && (
      <div className="flex gap-x-2">
        <dt className="text-muted">{m.invoices_paid_with()}</dt>
        <dd>{cardName(paidWith)}</dd>
      </div>
    )}
    {charge && (
      <div className="flex gap-x-2">
        <dt className="text-muted">{m.invoices_charged()}</dt>
        <dd>
          <Charged charge={charge} />
        </dd>
      </div>
    )}
  </dl>
)

const headlineClass = 'text-2xl leading-8 font-semibold tracking-tight text-balance'

/** The amount, rounded to cents, and when it is due or was paid. */
function Headline({ invoice: { amount, dueAt, paidAt } }: { invoice: InvoiceView }) {
  const headline = paidAt === null ? m.invoices_headline_due : m.invoices_headline_paid
  const day = formatUtcDate(paidAt ?? dueAt, getLocale(), { month: 'long', year: true })
  return <p className={headlineClass}>{headline({ amount: chargedText(amount), day })}</p>
}

/** The invoice as its PDF has it: amount, dates, seller, buyer and payment, then its items. */
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
      </Facts>
      <Parties>
        <Fact label={m.invoices_seller()}>
          <Seller from={invoice.seller} />
        </Fact>
        <Fact label={m.invoices_billed_to()}>
          <BilledTo to={invoice.billedTo} />
        </Fact>
      </Parties>
      {invoice.paidWith || invoice.charge ? <Payment invoice={invoice} /> : null}
      <div className={lineClass}>{children}</div>
    </div>
  </Card>
)

export const InvoiceFootnotes = ({ invoice: { id } }: { invoice: InvoiceView }) => (
  <div className="flex flex-wrap justify-between gap-x-6 gap-y-3 text-muted">
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
      <p className={headlineClass}>
        <Skeleton className="w-64" />
      </p>
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

import type { ResponseOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AmountInHeadline } from '../amount-in-headline.tsx'
import { chargedText, chargeNotes, isFree } from '../billing-figures.ts'
import { cardName, countryNames } from '../payment-methods/card-names.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'

export type InvoiceView = ResponseOf<typeof viewInvoice>

/** A label above its value. */
const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid min-w-0 content-start gap-1">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-6 sm:grid-cols-3 lg:grid-cols-5">
    {children}
  </dl>
)

const Parties = ({ children }: { children: ReactNode }) => (
  <dl className="grid gap-6 border-t border-line pt-6 sm:grid-cols-2 lg:grid-cols-[2fr_3fr]">
    {children}
  </dl>
)

const IdAndHint = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-t border-line pt-6">
    <dl>{children}</dl>
    <DatesInUtc />
  </div>
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

const dayOf = (value: string) => formatUtcDate(value, getLocale(), { month: 'long', year: true })

/** What is due or was paid, and when. */
const Headline = ({ invoice: { amount, paidAt, dueAt } }: { invoice: InvoiceView }) => (
  <div className="grid gap-1">
    <p className="text-2xl font-semibold tabular-nums">
      <AmountInHeadline amount={amount} />
    </p>
    <p className="text-muted">
      {paidAt
        ? m.invoices_paid_on({ day: dayOf(paidAt) })
        : m.invoices_due_on({ day: dayOf(dueAt) })}
    </p>
  </div>
)

const HeadlineSkeleton = () => (
  <div className="grid gap-1">
    <p className="text-2xl">
      <Skeleton className="w-32" />
    </p>
    <p>
      <Skeleton className="w-44" />
    </p>
  </div>
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

/** The invoice as its PDF has it: amount, number, dates, seller, buyer, payment and id. */
export const InvoiceDetails = ({ invoice }: { invoice: InvoiceView }) => (
  <Card>
    <div className="grid gap-6">
      <Headline invoice={invoice} />
      <Facts>
        {invoice.number !== null && (
          <Fact label={m.invoices_number()}>
            <CopyValue text={invoice.number} label={m.invoices_copy_number()}>
              {invoice.number}
            </CopyValue>
          </Fact>
        )}
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
      <IdAndHint>
        <Fact label={m.invoices_id()}>
          <CopyValue text={invoice.id} label={m.invoices_copy_id()}>
            <code className="font-mono text-xs sm:text-sm">{invoice.id}</code>
          </CopyValue>
        </Fact>
      </IdAndHint>
    </div>
  </Card>
)

const dates = () => [
  m.invoices_number(),
  m.invoices_start_date(),
  m.invoices_issue_date(),
  m.invoices_due_date(),
  m.invoices_paid_date(),
]

export const InvoiceDetailsSkeleton = () => (
  <Card>
    <div className="grid gap-6">
      <HeadlineSkeleton />
      <Facts>
        {dates().map((label) => (
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
      <IdAndHint>
        <Fact label={m.invoices_id()}>
          <Skeleton className="w-56" />
        </Fact>
      </IdAndHint>
    </div>
  </Card>
)

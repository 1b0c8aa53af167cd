import type { ResponseOf } from '@slipway/contract/endpoint'
import { settledAmount } from '@slipway/contract/invoice-totals'
import type { viewInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { Card } from '../../../ui/card.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { chargedText, chargeNotes, isFree, settledText } from '../billing-figures.ts'
import { CardName } from '../payment-methods/card-name.tsx'
import { countryNames } from '../payment-methods/card-names.ts'
import { InvoiceDay, InvoiceStart } from './invoice-dates.tsx'
import { InvoiceStateBadge } from './invoice-state-badge.tsx'
import { invoiceState } from './invoice-states.ts'

export type InvoiceView = ResponseOf<typeof viewInvoice>

const Fact = ({
  label,
  wide,
  children,
}: {
  label: string
  /** True for a value that needs the width of two facts. */
  wide?: boolean
  children: ReactNode
}) => (
  <div
    className="grid min-w-0 content-start gap-1"
    style={wide ? { gridColumn: 'span 2' } : undefined}
  >
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)

const lineClass = 'border-t border-line pt-6'

/** Four in a line, two on a phone. */
const Facts = ({ children }: { children: ReactNode }) => (
  <dl
    className="grid gap-x-6 gap-y-4"
    style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(max(7rem, 20%), 1fr))' }}
  >
    {children}
  </dl>
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

/** The state, beside the heading. */
export const State = ({ invoice }: { invoice: InvoiceView }) => (
  <span>
    <VisuallyHidden>{m.invoices_state()}: </VisuallyHidden>
    <InvoiceStateBadge invoice={invoice} />
  </span>
)

/** The charge, unless it is the amount of the headline. */
const separateCharge = ({ charge }: InvoiceView) =>
  charge && (charge.invoiceCount > 1 || isFree(charge.amount)) ? charge : null

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

/** When the invoice is due or was paid. A banner above tells of a payment in progress. */
function Status({ invoice }: { invoice: InvoiceView }) {
  const state = invoiceState(invoice)
  if (state === 'in_progress') return null
  const day = formatUtcDate(invoice.paidAt ?? invoice.dueAt, getLocale(), {
    month: 'long',
    year: true,
  })
  if (state === 'overdue')
    return <p className="font-medium text-danger">{m.invoices_due_late({ day })}</p>
  const text = state === 'paid' ? m.invoices_paid_on({ day }) : m.invoices_due_now({ day })
  return <p className="text-muted">{text}</p>
}

/** The amount at the left, as a letterhead the mark and the seller at the right. */
const Headline = ({ invoice }: { invoice: InvoiceView }) => (
  <div className="flex flex-wrap items-start justify-between gap-4">
    <div>
      <p className={amountClass}>{settledText(settledAmount(invoice))}</p>
      <Status invoice={invoice} />
    </div>
    <p className="flex min-w-0 items-center gap-2 font-medium wrap-anywhere">
      <Mark />
      {invoice.seller.name}
    </p>
  </div>
)

/** The invoice as its PDF has it: amount, dates, payment, seller and buyer, then its items. */
export function InvoiceDetails({
  invoice,
  children,
}: {
  invoice: InvoiceView
  children: ReactNode
}) {
  const charge = separateCharge(invoice)
  return (
    <Card>
      <div className="grid gap-6">
        <Headline invoice={invoice} />
        <Facts>
          {invoice.number !== null && (
            <Fact label={m.invoices_number()}>
              <CopyValue text={invoice.number} label={m.invoices_copy_number()}>
                <span className="whitespace-nowrap">{invoice.number}</span>
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
            <Fact label={m.invoices_paid_with()}>
              <CardName card={invoice.paidWith} />
            </Fact>
          )}
          {charge && (
            <Fact label={m.invoices_charged()}>
              <Charged charge={charge} />
            </Fact>
          )}
          <Fact label={m.invoices_id()} wide>
            <CopyValue text={invoice.id} label={m.invoices_copy_id()}>
              <code className="font-mono text-xs text-muted">{invoice.id}</code>
            </CopyValue>
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
        <div className={lineClass}>{children}</div>
      </div>
    </Card>
  )
}

/** A name and an address. */
const LinesSkeleton = ({ widths }: { widths: string[] }) => (
  <span className="grid">
    {widths.map((width) => (
      <span key={width}>
        <Skeleton className={width} />
      </span>
    ))}
  </span>
)

export const InvoiceDetailsSkeleton = ({ children }: { children: ReactNode }) => (
  <Card>
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <p className={amountClass}>
            <Skeleton className="w-32" />
          </p>
          <p>
            <Skeleton className="w-48" />
          </p>
        </div>
        <p className="flex min-w-0 items-center gap-2">
          <Mark />
          <Skeleton className="w-32" />
        </p>
      </div>
      <Facts>
        {[
          m.invoices_number(),
          m.invoices_start_date(),
          m.invoices_issue_date(),
          m.invoices_due_date(),
          m.invoices_paid_date(),
        ].map((label) => (
          <Fact key={label} label={label}>
            <Skeleton className="w-24" />
          </Fact>
        ))}
        <Fact label={m.invoices_id()} wide>
          <Skeleton className="w-56" />
        </Fact>
      </Facts>
      <Parties>
        <Fact label={m.invoices_seller()}>
          <LinesSkeleton widths={['w-32', 'w-40', 'w-28', 'w-48']} />
        </Fact>
        <Fact label={m.invoices_billed_to()}>
          <LinesSkeleton widths={['w-32', 'w-28', 'w-36', 'w-20', 'w-48']} />
        </Fact>
      </Parties>
      <div className={lineClass}>{children}</div>
    </div>
  </Card>
)

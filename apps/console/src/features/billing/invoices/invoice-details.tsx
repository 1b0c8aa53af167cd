import type { ResponseOf } from '@slipway/contract/endpoint'
import { settledAmount } from '@slipway/contract/invoice-totals'
import type { viewInvoice } from '@slipway/contract/invoices'
import { formatPeriod, formatUtcDate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { Card } from '../../../ui/card.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { chargedText } from '../billing-figures.ts'
import { cardName, countryNames } from '../payment-methods/card-names.ts'
import { InvoiceDay, InvoiceStart } from './invoice-dates.tsx'
import { InvoiceStateBadge } from './invoice-state-badge.tsx'
import { type InvoiceState, invoiceState } from './invoice-states.ts'
import { chargeNotes, isFree, settledText } from './settled-amounts.ts'

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
    {/* On a touch screen a copy button may reach into the gap with the space around its icon. */}
    <dd className="min-w-0 wrap-anywhere pointer-coarse:-mr-3.5">{children}</dd>
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

const statusTexts: Record<InvoiceState, (of: { day: string; card: string | null }) => string> = {
  paid: ({ day, card }) =>
    card === null ? m.invoices_paid_on({ day }) : m.invoices_paid_with_card({ day, card }),
  in_progress: m.invoices_due_in_progress,
  overdue: m.invoices_due_late,
  unpaid: m.invoices_due_now,
}

/** When the invoice is due, or when and with which card it was paid. */
function Status({ invoice }: { invoice: InvoiceView }) {
  const { paidAt, dueAt, paidWith } = invoice
  const state = invoiceState(invoice)
  const day = formatUtcDate(paidAt ?? dueAt, getLocale(), { month: 'long', year: true })
  return (
    <p className={state === 'overdue' ? 'font-medium text-danger' : 'text-muted'}>
      {statusTexts[state]({ day, card: paidWith && cardName(paidWith) })}
    </p>
  )
}

/**
 * The amount at the left, as a letterhead the mark and the seller at the right. A phone has the
 * seller below only.
 */
const Headline = ({ invoice }: { invoice: InvoiceView }) => (
  <div className="flex flex-wrap items-start justify-between gap-4">
    <div>
      <p className={amountClass}>{settledText(settledAmount(invoice))}</p>
      <Status invoice={invoice} />
    </div>
    <p className="flex min-w-0 items-center gap-2 font-medium wrap-anywhere max-sm:hidden">
      <Mark />
      {invoice.seller.name}
    </p>
  </div>
)

/** What is rarely looked up, at the end: the exact dates and the identifier. */
const QuietFacts = ({ invoice: { createdAt, paidAt, id } }: { invoice: InvoiceView }) => (
  <div className={`text-xs text-muted ${lineClass}`}>
    <Facts>
      <Fact label={m.invoices_start_date()}>
        <InvoiceStart value={createdAt} />
      </Fact>
      {paidAt && (
        <Fact label={m.invoices_paid_date()}>
          <InvoiceDay value={paidAt} />
        </Fact>
      )}
      <Fact label={m.invoices_id()} wide>
        <CopyValue text={id} label={m.invoices_copy_id()}>
          <code className="font-mono">{id}</code>
        </CopyValue>
      </Fact>
    </Facts>
  </div>
)

/** The invoice as its PDF has it: amount, dates, seller and buyer, then its items. */
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
          <Fact label={m.invoices_active_period()}>
            {formatPeriod(invoice.createdAt, invoice.endsAt, getLocale(), 'short')}
          </Fact>
          <Fact label={m.invoices_issue_date()}>
            {invoice.issuedAt && <InvoiceDay value={invoice.issuedAt} />}
          </Fact>
          <Fact label={m.invoices_due_date()}>
            <InvoiceDay value={invoice.dueAt} />
          </Fact>
          {charge && (
            <Fact label={m.invoices_charged()}>
              <Charged charge={charge} />
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
        <div>{children}</div>
        <QuietFacts invoice={invoice} />
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
        <p className="flex min-w-0 items-center gap-2 max-sm:hidden">
          <Mark />
          <Skeleton className="w-32" />
        </p>
      </div>
      <Facts>
        {[
          m.invoices_number(),
          m.invoices_active_period(),
          m.invoices_issue_date(),
          m.invoices_due_date(),
        ].map((label) => (
          <Fact key={label} label={label}>
            <Skeleton className="w-24" />
          </Fact>
        ))}
      </Facts>
      <Parties>
        <Fact label={m.invoices_seller()}>
          <LinesSkeleton widths={['w-32', 'w-40', 'w-28', 'w-48']} />
        </Fact>
        <Fact label={m.invoices_billed_to()}>
          <LinesSkeleton widths={['w-32', 'w-28', 'w-36', 'w-20', 'w-48']} />
        </Fact>
      </Parties>
      <div>{children}</div>
    </div>
  </Card>
)

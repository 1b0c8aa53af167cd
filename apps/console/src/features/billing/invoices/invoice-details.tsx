import type { ResponseOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { Card } from '../../../ui/card.tsx'
import { Detail, DetailList } from '../../../ui/detail-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { chargedText, chargeNotes, isFree } from '../billing-figures.ts'
import { cardName, countryNames } from '../payment-methods/card-names.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'

export type InvoiceView = ResponseOf<typeof viewInvoice>

const Details = ({ children }: { children: ReactNode }) => (
  <Card title={m.invoices_details()}>
    <div className="grid gap-4">
      <DetailList>{children}</DetailList>
      <DatesInUtc />
    </div>
  </Card>
)

const BilledTo = ({ to: { name, email, address } }: { to: InvoiceView['billedTo'] }) => (
  <span className="grid min-w-0 wrap-anywhere">
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
    <span className="text-muted">{email}</span>
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

/** Recipient, dates, id and payment of an invoice. */
export const InvoiceDetails = ({
  invoice: { id, billedTo, createdAt, issuedAt, paidAt, paidWith, charge },
}: {
  invoice: InvoiceView
}) => (
  <Details>
    <Detail label={m.invoices_billed_to()}>
      <BilledTo to={billedTo} />
    </Detail>
    <Detail label={m.invoices_start_date()}>
      <InvoiceStart value={createdAt} />
    </Detail>
    <Detail label={m.invoices_issue_date()}>{issuedAt && <InvoiceDay value={issuedAt} />}</Detail>
    <Detail label={m.invoices_paid_date()}>
      {paidAt ? (
        <InvoiceDay value={paidAt} />
      ) : (
        <span className="text-muted">{m.invoices_not_paid()}</span>
      )}
    </Detail>
    {paidWith && <Detail label={m.invoices_paid_with()}>{cardName(paidWith)}</Detail>}
    {charge && (
      <Detail label={m.invoices_charged()}>
        <Charged charge={charge} />
      </Detail>
    )}
    <Detail label={m.invoices_id()}>
      <CopyValue text={id} label={m.invoices_copy_id()}>
        <code className="font-mono text-xs sm:text-sm">{id}</code>
      </CopyValue>
    </Detail>
  </Details>
)

export const InvoiceDetailsSkeleton = () => (
  <Details>
    <Detail label={m.invoices_billed_to()}>
      <span className="grid gap-1">
        <Skeleton className="w-32" />
        <Skeleton className="w-56" />
      </span>
    </Detail>
    {[m.invoices_start_date(), m.invoices_issue_date(), m.invoices_paid_date()].map((label) => (
      <Detail key={label} label={label}>
        <Skeleton className="w-24" />
      </Detail>
    ))}
    <Detail label={m.invoices_id()}>
      <Skeleton className="w-56" />
    </Detail>
  </Details>
)

import type { AnswerOf } from '@slipway/contract/endpoint'
import type { viewInvoice } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../shell/copy-value.tsx'
import { Card } from '../../ui/card.tsx'
import { Detail, DetailList } from '../../ui/detail-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { cardName } from './card-names.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'

export type ShownInvoice = AnswerOf<typeof viewInvoice>

const Details = ({ children }: { children: ReactNode }) => (
  <Card title={m.invoices_details()}>
    <div className="grid gap-4">
      <DetailList>{children}</DetailList>
      <DatesInUtc />
    </div>
  </Card>
)

/** What the invoice is: its dates, its id, how it was paid. */
export const InvoiceDetails = ({
  invoice: { id, createdAt, issuedAt, paidAt, paidWith },
}: {
  invoice: ShownInvoice
}) => (
  <Details>
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
    <Detail label={m.invoices_id()}>
      <CopyValue text={id} label={m.invoices_copy_id()} />
    </Detail>
  </Details>
)

export const InvoiceDetailsSkeleton = () => (
  <Details>
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

import type { InvoiceId } from '@slipway/contract/invoices'
import { formatPeriodName, getLocale, m } from '@slipway/phrases'
import CreditCard from 'lucide-react/icons/credit-card'
import { visibleData } from '../../../api/missing.ts'
import { paths } from '../../../paths.ts'
import printSheet from '../../../print.css?url'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { useParam } from '../../../shell/navigation/route-params.ts'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MissingState } from '../../../ui/states.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import {
  InvoiceDetails,
  InvoiceDetailsSkeleton,
  type InvoiceView,
  State,
} from './invoice-details.tsx'
import { InvoiceDownload } from './invoice-download.tsx'
import { InvoiceItems, InvoiceItemsSkeleton } from './invoice-items.tsx'
import { InvoicePayment } from './invoice-payment.tsx'
import { useInvoice } from './invoice-queries.ts'
import { isPayable } from './invoice-states.ts'

const InvoiceMissing = ({ id }: { id: InvoiceId }) => (
  <MissingState
    title={m.invoices_missing({ id })}
    action={<ButtonLink to={paths.invoices()}>{m.invoices_show_all()}</ButtonLink>}
  >
    {m.invoices_missing_hint()}
  </MissingState>
)

const HeadingSkeleton = () => (
  <>
    <Skeleton className="w-56" height="h-5" />
    <VisuallyHidden>{m.invoices_invoice()}</VisuallyHidden>
  </>
)

const InvoiceSkeleton = () => (
  <InvoiceDetailsSkeleton>
    <InvoiceItemsSkeleton />
  </InvoiceDetailsSkeleton>
)

const Actions = ({ invoice }: { invoice: InvoiceView }) => (
  <>
    {isPayable(invoice) && (
      <ButtonLink
        to={paths.payInvoices()}
        search={{ invoice: invoice.id }}
        variant="primary"
        icon={CreditCard}
      >
        {m.invoices_make_payment()}
      </ButtonLink>
    )}
    <InvoiceDownload id={invoice.id} />
  </>
)

export function Page() {
  const id = useParam('invoiceId')
  const query = useInvoice(id)
  const invoice = visibleData(query)
  const title =
    invoice &&
    m.invoices_heading({ period: formatPeriodName(invoice.createdAt, invoice.endsAt, getLocale()) })
  return (
    <PageFrame
      isDocument
      title={title}
      heading={query.isPending && <HeadingSkeleton />}
      badge={
        invoice ? <State invoice={invoice} /> : query.isPending && <Skeleton className="w-20" />
      }
      actions={
        invoice ? (
          <Actions invoice={invoice} />
        ) : (
          // A retry after an error is no first load: a missing invoice has no actions.
          query.isPending &&
          query.errorUpdateCount === 0 && <Skeleton className="w-36" height="control-height" />
        )
      }
    >
      <QueryView
        query={query}
        item={m.invoices_item_invoice()}
        loading={<InvoiceSkeleton />}
        missing={<InvoiceMissing id={id} />}
      >
        {(loadedInvoice) => (
          <>
            {/* Applies to print only, so it does not block rendering. */}
            <link rel="stylesheet" media="print" href={printSheet} />
            <InvoicePayment key={loadedInvoice.id} invoice={loadedInvoice} />
            <InvoiceDetails invoice={loadedInvoice}>
              <InvoiceItems invoice={loadedInvoice} />
            </InvoiceDetails>
          </>
        )}
      </QueryView>
    </PageFrame>
  )
}

import { m } from '@slipway/phrases'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { usePaymentOptions } from '../invoices/invoice-queries.ts'
import { PayForm } from './pay-form.tsx'

const NothingToPay = () => (
  <EmptyState
    title={m.payments_screen_nothing()}
    action={<ButtonLink to={paths.invoices()}>{m.invoices_show_all()}</ButtonLink>}
  >
    {m.payments_screen_nothing_hint()}
  </EmptyState>
)

const ChoiceSkeleton = () => (
  <div className="flex min-h-11 items-center gap-3 rounded-md border border-line px-3 py-2">
    <Skeleton className="size-4 shrink-0" />
    <Skeleton className="w-40" />
  </div>
)

const PaySkeleton = () => (
  <div className="grid gap-5">
    {[m.payments_screen_invoices(), m.payments_screen_method()].map((title) => (
      <Card key={title} title={title}>
        <div className="grid gap-2">
          <ChoiceSkeleton />
          <ChoiceSkeleton />
        </div>
      </Card>
    ))}
    <Card>
      <div className="grid gap-4">
        <p className="flex items-center justify-between text-base font-semibold">
          <span>{m.payments_screen_total()}</span>
          <Skeleton className="w-24" />
        </p>
        <div className="grid pt-1 sm:block">
          <Skeleton className="w-24" height="h-9" />
        </div>
      </div>
    </Card>
  </div>
)

export function Page() {
  const query = usePaymentOptions()
  // The form stays until the response: an event may report its invoices as paid before that.
  const [paying, setPaying] = useState(false)
  return (
    <PageFrame narrow>
      <QueryView query={query} item={m.payments_screen_item()} loading={<PaySkeleton />}>
        {(options) =>
          options.invoices.length === 0 && !paying ? (
            <NothingToPay />
          ) : (
            <PayForm options={options} onPaying={setPaying} />
          )
        }
      </QueryView>
    </PageFrame>
  )
}

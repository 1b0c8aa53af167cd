import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { paymentMethodsQuery } from '../../../api/queries.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Card } from '../../../ui/card.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { useDialog } from '../../../ui/dialog/use-dialog.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { PaymentMethodRow } from './payment-method-row.tsx'

const EditPaymentMethod = lazyDialog(() =>
  import('./payment-method-edit.tsx').then((module) => module.EditPaymentMethod),
)
const DeletePaymentMethod = lazyDialog(() =>
  import('./payment-method-delete.tsx').then((module) => module.DeletePaymentMethod),
)

const AddLink = () => (
  <ButtonLink to={paths.addPaymentMethod()} icon={Plus}>
    {m.cards_add()}
  </ButtonLink>
)

function PaymentMethodList({ methods }: { methods: readonly PaymentMethod[] }) {
  const edit = useDialog<PaymentMethod>()
  const deletion = useDialog<PaymentMethod>()
  return (
    <>
      {methods.length > 0 && (
        <ul aria-label={m.cards_list()} className="-my-3 divide-y divide-line">
          {methods.map((method) => (
            <PaymentMethodRow
              key={method.id}
              method={method}
              isOnly={methods.length === 1}
              onEdit={() => edit.openFor(method)}
              onDelete={() => deletion.openFor(method)}
            />
          ))}
        </ul>
      )}
      {edit.subject && (
        <EditPaymentMethod method={edit.subject} open={edit.open} onClose={edit.close} />
      )}
      {deletion.subject && (
        <DeletePaymentMethod
          method={deletion.subject}
          isListed={methods.some(({ id }) => id === deletion.subject?.id)}
          open={deletion.open}
          onClose={deletion.close}
        />
      )}
    </>
  )
}

const ListSkeleton = () => (
  <div className="-my-3 divide-y divide-line">
    <div className="flex items-center gap-4 py-3">
      <Skeleton className="w-10" />
      <div className="grid flex-1 gap-1">
        <Skeleton className="w-40" />
        <Skeleton className="w-56" />
      </div>
    </div>
  </div>
)

/** Without a drawing: the page has one where no project runs yet. */
const NoCards = () => (
  <div className="grid gap-1">
    <p className="font-medium">{m.cards_empty()}</p>
    <p className="text-muted">{m.cards_empty_hint()}</p>
  </div>
)

export function PaymentMethods() {
  const query = useQuery(paymentMethodsQuery)
  const view = (
    <QueryView
      inCard
      query={query}
      item={m.cards_item_list()}
      loading={<ListSkeleton />}
      empty={<NoCards />}
    >
      {(methods) => <PaymentMethodList methods={methods} />}
    </QueryView>
  )
  const isPhone = useIsPhone()
  return (
    <Card title={m.cards_title()} actions={!isPhone && <AddLink />}>
      {view}
      {/* Beside the title there is no room for it. */}
      {isPhone && (
        <div className="mt-8 grid">
          <AddLink />
        </div>
      )}
    </Card>
  )
}

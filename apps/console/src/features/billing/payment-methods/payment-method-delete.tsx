import { deletePaymentMethod, type PaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { cardName } from './card-names.ts'
import { invalidatePaymentMethods, uncachePaymentMethod } from './payment-method-queries.ts'

export function DeletePaymentMethod({
  method,
  isListed,
  open,
  onClose,
}: {
  method: PaymentMethod
  /** False once the card is removed from the list. */
  isListed: boolean
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const card = cardName(method)
  async function remove() {
    await call(deletePaymentMethod, { params: { id: method.id } })
    uncachePaymentMethod(queryClient, method.id)
    showToast('success', m.cards_deleted_toast({ card }))
  }

  return (
    <ActionDialog
      open={open}
      title={m.cards_delete_title({ card })}
      confirm={m.cards_delete_confirm()}
      // The menu that opened this dialog is removed with the card.
      focusAfter={(isDone) => (isListed && !isDone ? null : pageHeading())}
      action={remove}
      // The card may have become the default or been deleted: refetch the list.
      onFailure={() => void invalidatePaymentMethods(queryClient)}
      onClose={onClose}
    >
      <p>{m.cards_delete_warning()}</p>
    </ActionDialog>
  )
}

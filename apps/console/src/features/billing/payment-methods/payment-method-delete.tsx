import { deletePaymentMethod, type PaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../forms/use-action.ts'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { cardName } from './card-names.ts'
import { invalidatePaymentMethods, uncachePaymentMethod } from './payment-method-queries.ts'

/** Deletes a card after confirmation. */
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
  const deletion = useAction(async () => {
    await call(deletePaymentMethod, { params: { id: method.id } })
    uncachePaymentMethod(queryClient, method.id)
    showToast('success', m.cards_deleted_toast({ card }))
  })

  async function confirm() {
    const isDone = await deletion.run()
    // It may have become the default or been deleted: refetch the list.
    if (!isDone) void invalidatePaymentMethods(queryClient)
    return isDone
  }

  return (
    <ConfirmDialog
      open={open}
      title={m.cards_delete_title({ card })}
      texts={{ confirm: m.cards_delete_confirm(), cancel: m.shell_cancel() }}
      pending={deletion.pending}
      failure={deletion.failure}
      // The menu that opened this dialog is removed with the card.
      focusAfter={(isDone) => (isListed && !isDone ? null : pageHeading())}
      onConfirm={confirm}
      onClose={() => {
        deletion.clear()
        onClose()
      }}
    >
      <p>{m.cards_delete_warning()}</p>
    </ConfirmDialog>
  )
}

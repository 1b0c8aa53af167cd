import { billingFields, updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { useUnsavedForm } from '../../../forms/use-unsaved.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { BillingAddressFields } from './billing-address-fields.tsx'
import { cardName } from './card-names.ts'
import { cachePaymentMethod, invalidatePaymentMethods } from './payment-method-queries.ts'

function EditForm({
  method,
  onPending,
  onUnsavedChange,
  onClose,
}: {
  method: PaymentMethod
  onPending: (pending: boolean) => void
  onUnsavedChange: (hasUnsaved: boolean) => void
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const { id, billingName, address, district, city, country, taxNumber } = method
  const form = useForm({
    schema: billingFields,
    initial: { billingName, address, district, city, country, taxNumber: taxNumber ?? '' },
    async submit(body) {
      onPending(true)
      try {
        const saved = await call(updatePaymentMethod, { params: { id }, body })
        cachePaymentMethod(queryClient, saved)
        showToast('success', m.cards_edited_toast({ card: cardName(saved) }))
        onClose()
      } catch (error) {
        // The card may have been deleted: refetch the list.
        void invalidatePaymentMethods(queryClient)
        throw error
      } finally {
        onPending(false)
      }
    },
  })
  const hasUnsaved = useUnsavedForm(m.cards_edit_title({ card: cardName(method) }), form)
  useEffect(() => onUnsavedChange(hasUnsaved), [onUnsavedChange, hasUnsaved])
  return (
    <Form {...form.props}>
      <BillingAddressFields field={form.field} />
      <DialogActions action={form} submit={m.shell_save()} onCancel={onClose} />
    </Form>
  )
}

export function EditPaymentMethod({
  method,
  open,
  onClose,
}: {
  method: PaymentMethod
  open: boolean
  onClose: () => void
}) {
  const [pending, setPending] = useState(false)
  const [hasUnsaved, setHasUnsaved] = useState(false)
  return (
    <Dialog
      open={open}
      title={m.cards_edit_title({ card: cardName(method) })}
      pending={pending}
      changed={hasUnsaved}
      closeLabel={m.shell_close()}
      onClose={onClose}
    >
      <EditForm
        method={method}
        onPending={setPending}
        onUnsavedChange={setHasUnsaved}
        onClose={onClose}
      />
    </Dialog>
  )
}

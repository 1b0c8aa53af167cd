import { type Payment, payForm, payInvoices } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useForm } from '../../../forms/use-form.ts'
import { paths } from '../../../paths.ts'
import { useIsOnPage } from '../../../shell/navigation/is-on-page.ts'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import type { PaymentOptions } from '../invoices/invoice-queries.ts'
import { initialInvoiceIds, initialMethodId, isUsable, payableIds } from './pay-selection.ts'

/** Reports the outcome of a payment and opens the paid invoice or the list. */
function useShowOutcome() {
  const navigate = useNavigate()
  const isHere = useIsOnPage()
  return async ({ state, invoiceIds }: Payment) => {
    if (state === 'in_progress') showToast('info', m.payments_screen_waiting())
    else showToast('success', m.payments_screen_paid())
    const [only, ...others] = invoiceIds
    const to = only && others.length === 0 ? paths.invoice(only) : paths.invoices()
    if (isHere()) await navigate({ to, replace: true })
  }
}

/**
 * Deselects invoices and cards that are no longer payable; not while paying, when their states are
 * changing.
 */
function useDropUnpayable(
  form: ReturnType<typeof usePayment>['form'],
  { invoices, methods }: PaymentOptions,
) {
  const { pending, values, set } = form
  useEffect(() => {
    if (pending) return
    const payable = payableIds(invoices)
    const chosen = values.invoiceIds ?? []
    const possible = chosen.filter((id) => payable.includes(id))
    if (possible.length < chosen.length) set('invoiceIds', possible)
    const isPossible = methods.filter(isUsable).some(({ id }) => id === values.paymentMethodId)
    if (values.paymentMethodId && !isPossible) set('paymentMethodId', initialMethodId(methods))
  })
}

function usePayment(given: PaymentOptions) {
  const from = useSearchParam('invoice')
  const added = useSearchParam('method')
  const queryClient = useQueryClient()
  const tell = useShowOutcome()
  const form = useForm({
    schema: payForm,
    initial: {
      invoiceIds: initialInvoiceIds(given.invoices, from),
      paymentMethodId: initialMethodId(given.methods, added),
    },
    errorFields: { payment_method_not_found: 'paymentMethodId' },
    async submit(body) {
      const isAnswered = call(payInvoices, { body })
      // Any outcome changes the invoices, and perhaps the cards.
      const refresh = () =>
        Promise.all(
          [['invoices'], ['payment-methods']].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        )
      try {
        await tell(await isAnswered)
        void refresh()
      } catch (error) {
        await refresh()
        throw error
      }
    },
  })
  return { form }
}

/**
 * The payment form and the options it shows. While it pays it shows the options from before,
 * because each step of the payment changes the list.
 */
export function usePayForm(given: PaymentOptions) {
  const { form } = usePayment(given)
  useDropUnpayable(form, given)
  const [held, setHeld] = useState(given)
  if (!form.pending && held !== given) setHeld(given)
  return { form, shown: form.pending ? held : given }
}

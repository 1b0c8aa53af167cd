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
import type { WhatToPay } from '../invoices/invoice-queries.ts'
import { firstChoice, firstMethod, isGood, payableIds } from './pay-selection.ts'

/** Says what became of a payment, and goes to what was paid, where the rest of it shows. */
function useOutcome() {
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

/** Takes out of the choice what can no longer be chosen; not while paying, when everything is in between. */
function usePossible(
  form: ReturnType<typeof usePayment>['form'],
  { invoices, methods }: WhatToPay,
) {
  const { pending, values, set } = form
  useEffect(() => {
    if (pending) return
    const payable = payableIds(invoices)
    const chosen = values.invoiceIds ?? []
    const possible = chosen.filter((id) => payable.includes(id))
    if (possible.length < chosen.length) set('invoiceIds', possible)
    const isPossible = methods.filter(isGood).some(({ id }) => id === values.paymentMethodId)
    if (values.paymentMethodId && !isPossible) set('paymentMethodId', firstMethod(methods))
  })
}

function usePayment(given: WhatToPay) {
  const from = useSearchParam('invoice')
  const added = useSearchParam('method')
  const queryClient = useQueryClient()
  const tell = useOutcome()
  const form = useForm({
    schema: payForm,
    initial: {
      invoiceIds: firstChoice(given.invoices, from),
      paymentMethodId: firstMethod(given.methods, added),
    },
    errorFields: { payment_method_not_found: 'paymentMethodId' },
    async submit(body) {
      const isAnswered = call(payInvoices, { body })
      // Whatever became of it, the invoices are no longer what they were, and perhaps the cards neither.
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
 * The form of a payment, and what it shows: while it pays, what there was when it began, because each step
 * of the payment changes the list.
 */
export function usePayForm(given: WhatToPay) {
  const { form } = usePayment(given)
  usePossible(form, given)
  const [held, setHeld] = useState(given)
  if (!form.pending && held !== given) setHeld(given)
  return { form, shown: form.pending ? held : given }
}

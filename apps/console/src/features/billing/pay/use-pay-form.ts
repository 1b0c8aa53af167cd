import { type InvoiceId, type Payment, payForm, payInvoices } from '@slipway/contract/invoices'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { call } from '../../../api/client.ts'
import { paymentMethodsQuery, unpaidInvoicesQuery } from '../../../api/queries.ts'
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
  const isOnPage = useIsOnPage()
  return async ({ state, invoiceIds }: Payment) => {
    if (state === 'in_progress') showToast('info', m.payments_screen_waiting())
    else showToast('success', m.payments_screen_paid())
    const [only, ...others] = invoiceIds
    const to = only && others.length === 0 ? paths.invoice(only) : paths.invoices()
    if (isOnPage()) await navigate({ to, replace: true })
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
    const payable = new Set<string>(payableIds(invoices))
    const selected = values.invoiceIds ?? []
    const remaining = selected.filter((id) => payable.has(id))
    if (remaining.length < selected.length) set('invoiceIds', remaining)
    const isStillUsable = methods.filter(isUsable).some(({ id }) => id === values.paymentMethodId)
    if (values.paymentMethodId && !isStillUsable) set('paymentMethodId', initialMethodId(methods))
  })
}

/**
 * The options from the cache. The page's own options are one render late: after a declined payment
 * its invoices would still be in progress, and the form would deselect them.
 */
function useCachedOptions(options: PaymentOptions): PaymentOptions {
  const queryClient = useQueryClient()
  const invoices = queryClient.getQueryData(unpaidInvoicesQuery.queryKey) ?? options.invoices
  const methods = queryClient.getQueryData(paymentMethodsQuery.queryKey) ?? options.methods
  return useMemo(() => ({ invoices, methods }), [invoices, methods])
}

function usePayment(options: PaymentOptions, onPaying: (paying: boolean) => void) {
  const requestedIds = useSearchParam('invoice')
  const addedMethodId = useSearchParam('method')
  const queryClient = useQueryClient()
  const showOutcome = useShowOutcome()
  const form = useForm({
    schema: payForm,
    initial: {
      invoiceIds: initialInvoiceIds(options.invoices, requestedIds),
      paymentMethodId: initialMethodId(options.methods, addedMethodId),
    },
    errorFields: { payment_method_not_found: 'paymentMethodId' },
    async submit(body) {
      onPaying(true)
      const request = call(payInvoices, { body })
      // Any outcome changes the invoices, and perhaps the cards.
      const refresh = () =>
        Promise.all(
          [['invoices'], ['payment-methods']].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        )
      try {
        await showOutcome(await request)
        void refresh()
      } catch (error) {
        await refresh()
        throw error
      } finally {
        onPaying(false)
      }
    },
  })
  return { form }
}

/**
 * The payment form and its options. During a payment it shows the earlier options, because each
 * step of the payment changes the list.
 */
export function usePayForm(pageOptions: PaymentOptions, onPaying: (paying: boolean) => void) {
  const options = useCachedOptions(pageOptions)
  const { form } = usePayment(options, onPaying)
  useDropUnpayable(form, options)
  const [storedOptions, setStoredOptions] = useState(options)
  if (!form.pending && storedOptions !== options) setStoredOptions(options)
  return {
    form,
    shown: form.pending ? storedOptions : options,
    // The schema's input is plain text; these ids come from the options alone.
    invoiceIds: (form.values.invoiceIds ?? []) as InvoiceId[],
    paymentMethodId: form.values.paymentMethodId as PaymentMethodId | null,
  }
}

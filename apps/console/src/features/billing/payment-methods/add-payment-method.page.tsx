import { createPaymentMethod, paymentMethodForm } from '@slipway/contract/payment-method-forms'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../../api/client.ts'
import { useForm } from '../../../forms/use-form.ts'
import { useUnsavedForm } from '../../../forms/use-unsaved.ts'
import { useIsOnPage } from '../../../shell/navigation/is-on-page.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { useProfile } from '../../../shell/session/account-context.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Form, FormActions } from '../../../ui/field/form.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { BillingAddressFields } from './billing-address-fields.tsx'
import { CardExpiryFields } from './card-expiry-fields.tsx'
import { cardName } from './card-names.ts'
import { CardNumberField } from './card-number-field.tsx'
import { cachePaymentMethod } from './payment-method-queries.ts'
import { returnPath, returnPathWithCard } from './return-path.ts'

/** The page that the user came from and returns to. */
const useOrigin = () => returnPath(safeNextPath(useSearchParam('next'), location.origin))

function useAddForm(origin: string) {
  const profile = useProfile()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isOnPage = useIsOnPage()

  // Card data stays in this form: never in a draft, never in a URL.
  const form = useForm({
    schema: paymentMethodForm,
    initial: {
      holderName: '',
      cardNumber: '',
      expireMonth: '',
      expireYear: '',
      billingName: profile.name,
      address: '',
      district: '',
      city: '',
      country: null,
      taxNumber: '',
    },
    async submit(body) {
      const method = await call(createPaymentMethod, { body })
      cachePaymentMethod(queryClient, method)
      showToast('success', m.cards_added_toast({ card: cardName(method) }))
      if (isOnPage()) await navigate({ href: returnPathWithCard(method.id, origin), replace: true })
    },
  })
  useUnsavedForm(m.cards_add(), form)
  return form
}

function AddForm({ origin }: { origin: string }) {
  const form = useAddForm(origin)
  const part = (name: 'expireMonth' | 'expireYear') => ({
    name,
    value: String(form.values[name] ?? ''),
    error: form.error(name),
    onChange: (value: string) => form.set(name, value),
  })
  return (
    <Form {...form.props}>
      <Card title={m.cards_card()}>
        <div className="grid gap-5">
          <CardNumberField label={m.cards_number()} {...form.field('cardNumber')} />
          <TextField
            label={m.cards_holder()}
            required
            autoComplete="cc-name"
            spellCheck={false}
            {...form.field('holderName')}
          />
          <CardExpiryFields month={part('expireMonth')} year={part('expireYear')} />
        </div>
      </Card>
      <Card title={m.cards_billing()}>
        <div className="grid gap-5">
          <BillingAddressFields field={form.field} />
        </div>
      </Card>
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.cards_add_action()}
        </Button>
        <ButtonLink to={origin}>{m.shell_cancel()}</ButtonLink>
      </FormActions>
    </Form>
  )
}

export function Page() {
  const origin = useOrigin()
  return (
    <PageFrame description={m.cards_add_description()} narrow>
      <AddForm origin={origin} />
    </PageFrame>
  )
}

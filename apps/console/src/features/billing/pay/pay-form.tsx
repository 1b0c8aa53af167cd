import { sumAmounts } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { Amount } from '../amount.tsx'
import { chargedText, isRounded } from '../billing-figures.ts'
import type { PaymentOptions } from '../invoices/invoice-queries.ts'
import { isFree } from '../invoices/settled-amounts.ts'
import { InvoiceChoice } from './pay-invoice-choice.tsx'
import { MethodChoice } from './pay-method-choice.tsx'
import { isUsable } from './pay-selection.ts'
import { usePayForm } from './use-pay-form.ts'

/** The sum of the selected invoices, and the charged amount if it differs. */
const Sum = ({ amount }: { amount: string }) => (
  <div className="grid gap-1">
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-base font-semibold">
      <span>{m.payments_screen_total()}</span>
      <output>
        <Amount value={amount} />
      </output>
    </p>
    {isRounded(amount) && (
      <p className="text-muted">
        {isFree(amount)
          ? m.payments_screen_free()
          : m.payments_screen_charged({ amount: chargedText(amount) })}
      </p>
    )}
  </div>
)

/** `onPaying` is called when a payment starts and when it has ended. */
export function PayForm({
  options,
  onPaying,
}: {
  options: PaymentOptions
  onPaying: (paying: boolean) => void
}) {
  const { form, shown, invoiceIds, paymentMethodId } = usePayForm(options, onPaying)
  const sum = sumAmounts(
    shown.invoices.filter(({ id }) => invoiceIds.includes(id)).map(({ amount }) => amount),
  )
  return (
    <Form {...form.props}>
      <Card>
        <InvoiceChoice
          invoices={shown.invoices}
          selected={invoiceIds}
          error={form.error('invoiceIds')}
          disabled={form.pending}
          onChange={(ids) => form.set('invoiceIds', ids)}
        />
      </Card>
      <Card>
        <MethodChoice
          methods={shown.methods}
          invoiceIds={invoiceIds}
          selected={paymentMethodId}
          error={form.error('paymentMethodId')}
          disabled={form.pending}
          onChange={(id) => form.set('paymentMethodId', id)}
        />
      </Card>
      <Card>
        <div className="grid gap-4">
          <Sum amount={sum} />
          {form.failure && <Alert kind="failure">{form.failure}</Alert>}
          {/* A column on a phone, where the button is as wide as the card. */}
          <div className="grid pt-1 sm:block">
            <Button
              type="submit"
              // Without a usable card the primary action is to add one.
              variant={shown.methods.some(isUsable) ? 'primary' : 'secondary'}
              pending={form.pending}
            >
              {invoiceIds.length > 0 && !isFree(sum)
                ? m.payments_screen_pay({ amount: chargedText(sum) })
                : m.payments_screen_pay_nothing()}
            </Button>
          </div>
        </div>
      </Card>
    </Form>
  )
}

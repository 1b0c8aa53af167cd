import type { InvoiceId } from '@slipway/contract/invoices'
import type { PaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import Plus from 'lucide-react/icons/plus'
import { useId } from 'react'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CardLogo } from '../payment-methods/card-logo.tsx'
import { CardName } from '../payment-methods/card-name.tsx'
import { printedExpiry } from '../payment-methods/card-names.ts'
import { Choice, Choices } from './pay-choice.tsx'
import { isUsable } from './pay-selection.ts'

type Props = {
  methods: readonly PaymentMethod[]
  /** The selected invoices; they stay selected when the user returns with a new card. */
  invoiceIds: readonly InvoiceId[]
  selected: PaymentMethodId | null
  error: string | undefined
  disabled: boolean
  onChange: (selected: PaymentMethodId) => void
}

/**
 * The cards to pay with. An expired card is disabled and says why. Without a usable card, adding
 * one is the primary action.
 */
export function MethodChoice({ methods, invoiceIds, selected, error, disabled, onChange }: Props) {
  const errorId = useId()
  const name = useId()
  const hasUsable = methods.some(isUsable)
  return (
    <Choices legend={m.payments_screen_method()} error={error} errorId={errorId}>
      {!hasUsable && (
        <p className="text-muted">
          {methods.length === 0 && `${m.cards_empty()}. `}
          {m.payments_screen_no_methods_hint()}
        </p>
      )}
      {methods.map((method) => (
        <Choice
          key={method.id}
          type="radio"
          name={name}
          checked={selected === method.id}
          disabled={disabled || !isUsable(method)}
          {...(error && isUsable(method)
            ? { 'aria-invalid': true, 'aria-describedby': errorId }
            : {})}
          onChange={() => onChange(method.id)}
        >
          <MethodLine method={method} />
        </Choice>
      ))}
      <AddCard isPrimary={!hasUsable} invoiceIds={invoiceIds} />
    </Choices>
  )
}

/** Links to the form for a new card, which returns here with the same invoices. */
function AddCard({ isPrimary, invoiceIds }: { isPrimary: boolean } & Pick<Props, 'invoiceIds'>) {
  const query = invoiceIds.length > 0 ? `?${new URLSearchParams({ invoice: `${invoiceIds}` })}` : ''
  return (
    <div className="pt-1">
      <ButtonLink
        to={paths.addPaymentMethod()}
        search={{ next: paths.payInvoices() + query }}
        icon={Plus}
        {...(isPrimary ? { variant: 'primary' } : {})}
      >
        {m.cards_add()}
      </ButtonLink>
    </div>
  )
}

function MethodLine({ method }: { method: PaymentMethod }) {
  const date = printedExpiry(method.expiresAt)
  return (
    <span className="flex items-start gap-3">
      <CardLogo association={method.cardAssoc} hidden />
      <span className="grid min-w-0 flex-1 gap-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">
            <CardName card={method} />
          </span>
          {method.isDefault && <Badge tone="secondary">{m.cards_default()}</Badge>}
          {method.expired && <Badge tone="danger">{m.cards_expired()}</Badge>}
        </span>
        <span className="text-muted">
          {method.expired ? m.cards_expired_on({ date }) : m.cards_expires({ date })}
        </span>
      </span>
    </span>
  )
}

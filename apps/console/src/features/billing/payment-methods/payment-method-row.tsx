import { type PaymentMethod, setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useEffect, useRef } from 'react'
import { call, causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Menu, type MenuEntry } from '../../../ui/menu/menu.tsx'
import { CardLogo } from './card-logo.tsx'
import { CardName } from './card-name.tsx'
import { cardAnchor, cardName, printedExpiry } from './card-names.ts'
import { setDefaultOptimistically } from './payment-method-queries.ts'

type Props = {
  method: PaymentMethod
  /** True if no other card can become the default. */
  isOnly: boolean
  onEdit: () => void
  onDelete: () => void
}

function useMarkDefault(method: PaymentMethod) {
  const queryClient = useQueryClient()
  const { id } = method
  const card = cardName(method)
  return async () => {
    try {
      await setDefaultOptimistically(queryClient, id, () =>
        call(setDefaultPaymentMethod, { params: { id } }),
      )
      showToast('success', m.cards_default_toast({ card }))
    } catch (error) {
      if (causesRedirect(error)) return
      showToast('failure', m.cards_default_failed({ card, reason: errorMessage(error) }))
    }
  }
}

function PaymentMethodMenu({ method, isOnly, onEdit, onDelete }: Props) {
  const markDefault = useMarkDefault(method)
  const hint = isOnly ? m.cards_delete_hint_only() : m.cards_delete_hint()
  const entries: (MenuEntry | false)[] = [
    { kind: 'action', label: m.cards_edit(), icon: Pencil, onSelect: onEdit },
    !method.isDefault && {
      kind: 'action',
      label: m.cards_mark_default(),
      icon: Check,
      onSelect: () => void markDefault(),
    },
    {
      kind: 'action',
      label: m.cards_delete(),
      icon: Trash,
      tone: 'danger',
      disabled: method.isDefault,
      hint: method.isDefault ? hint : undefined,
      onSelect: onDelete,
    },
  ]
  return (
    <Menu
      label={m.cards_menu({ card: cardName(method) })}
      icon={Ellipsis}
      entries={entries.filter((entry) => entry !== false)}
    />
  )
}

const rowClass = 'flex items-center gap-4 py-3'

export function PaymentMethodRow(props: Props) {
  const { method } = props
  const anchor = cardAnchor(method.id)
  const element = useRef<HTMLLIElement>(null)
  const isTarget = useLocation({ select: ({ hash }) => hash === anchor })
  // A newly added card scrolls into view and gets the focus.
  useEffect(() => {
    if (!isTarget) return
    element.current?.scrollIntoView({ block: 'center' })
    element.current?.focus({ preventScroll: true })
  }, [isTarget])
  const date = printedExpiry(method.expiresAt)
  return (
    <li ref={element} id={anchor} tabIndex={isTarget ? -1 : undefined} className={rowClass}>
      <CardLogo association={method.cardAssoc} hidden />
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">
            <CardName card={method} />
          </span>
          {method.isDefault && <Badge tone="secondary">{m.cards_default()}</Badge>}
          {method.expired && <Badge tone="danger">{m.cards_expired()}</Badge>}
        </div>
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span>{method.expired ? m.cards_expired_on({ date }) : m.cards_expires({ date })}</span>
          <span className="min-w-0 wrap-anywhere">{method.billingName}</span>
        </p>
      </div>
      {/* The icon is at the right edge. */}
      <span className="-mr-2 pointer-coarse:-mr-3.5">
        <PaymentMethodMenu {...props} />
      </span>
    </li>
  )
}

import type { TicketState } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDot from 'lucide-react/icons/circle-dot'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../ui/badge.tsx'

type StateDisplay = {
  label: () => string
  tone: BadgeTone
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
}

export const ticketStates: Record<TicketState, StateDisplay> = {
  open: { label: () => m.support_state_open(), tone: 'primary', icon: CircleDot },
  resolved: { label: () => m.support_state_resolved(), tone: 'secondary', icon: CircleCheck },
}

import type { TicketState } from '@slipway/contract/support'
import { Badge } from '../../ui/badge.tsx'
import { ticketStates } from './ticket-states.ts'

export function TicketStateBadge({ state }: { state: TicketState }) {
  const { label, tone, icon } = ticketStates[state]
  return (
    <Badge tone={tone} icon={icon}>
      {label()}
    </Badge>
  )
}

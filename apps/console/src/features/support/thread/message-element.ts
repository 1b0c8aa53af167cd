import type { TicketMessageId } from '@slipway/contract/support'

export const messageElementId = (id: TicketMessageId) => `message-${id}`

export const messageElement = (id: TicketMessageId) => document.getElementById(messageElementId(id))

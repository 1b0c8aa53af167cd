import type { TicketMessageId } from '@slipway/contract/support'

/** What the element of a message is called in the page. */
export const messageElementId = (id: TicketMessageId) => `message-${id}`

/** The element of a message that is shown. */
export const messageElement = (id: TicketMessageId) => document.getElementById(messageElementId(id))

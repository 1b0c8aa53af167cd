import { listOlderMessages, type TicketDetail, type TicketMessage } from '@slipway/contract/support'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../forms/use-action.ts'
import { messageElement } from './message-element.ts'
import { countOlder, mergeNewest, prependOlder } from './thread.ts'

/**
 * The loaded messages of a ticket; `older` loads earlier ones. The scroll position stays when they
 * are inserted above.
 */
export function useThread(ticket: TicketDetail) {
  const [newest, setNewest] = useState<readonly TicketMessage[]>(ticket.messages)
  const [messages, setMessages] = useState(newest)
  if (newest !== ticket.messages) {
    setNewest(ticket.messages)
    setMessages(mergeNewest(messages, ticket.messages))
  }
  const keepScrollPosition = useKeepScrollPosition(messages)

  const older = useAction(async () => {
    const [first] = messages
    if (!first) return
    const request = { params: { id: ticket.id }, query: { before: first.id } }
    const response = await call(listOlderMessages, request)
    keepScrollPosition(first)
    setMessages((loaded) => prependOlder(loaded, response.messages, first.id))
  })

  return {
    messages,
    older: {
      count: countOlder(messages, ticket),
      show: older.run,
      pending: older.pending,
      failure: older.failure,
    },
  }
}

/**
 * Returns a function that keeps a message at its position in the window during the next render and
 * focuses it: the clicked button moves up.
 */
function useKeepScrollPosition(messages: readonly TicketMessage[]) {
  const anchor = useRef<{ id: TicketMessage['id']; top: number }>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each render of other messages
  useLayoutEffect(() => {
    const element = anchor.current && messageElement(anchor.current.id)
    if (!element || !anchor.current) return
    scrollBy(0, element.getBoundingClientRect().top - anchor.current.top)
    element.focus({ preventScroll: true })
    anchor.current = undefined
  }, [messages])

  return ({ id }: TicketMessage) => {
    const top = messageElement(id)?.getBoundingClientRect().top
    if (top !== undefined) anchor.current = { id, top }
  }
}

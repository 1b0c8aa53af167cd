import { listOlderMessages, type TicketDetail, type TicketMessage } from '@slipway/contract/support'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../forms/use-action.ts'
import { messageElement } from './message-element.ts'
import { countOlder, withNewest, withOlder } from './thread.ts'

/**
 * The messages of a ticket that are shown: the newest, as they come, and older ones as they are asked for
 * with `showOlder`. Whoever reads stays where they read when those come in above.
 */
export function useThread(ticket: TicketDetail) {
  const [newest, setNewest] = useState<readonly TicketMessage[]>(ticket.messages)
  const [messages, setMessages] = useState(newest)
  if (newest !== ticket.messages) {
    setNewest(ticket.messages)
    setMessages(withNewest(messages, ticket.messages))
  }
  const keepPlace = useKeptPlace(messages)

  const older = useAction(async () => {
    const [first] = messages
    if (!first) return
    const given = { params: { id: ticket.id }, query: { before: first.id } }
    const answer = await call(listOlderMessages, given)
    keepPlace(first)
    setMessages((held) => withOlder(held, answer.messages, first.id))
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
 * Gives a function that makes the next drawing leave a message where it stands in the window, with the focus on
 * it: what was pressed has gone up with what came.
 */
function useKeptPlace(messages: readonly TicketMessage[]) {
  const kept = useRef<{ id: TicketMessage['id']; top: number }>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each drawing of other messages
  useLayoutEffect(() => {
    const element = kept.current && messageElement(kept.current.id)
    if (!element || !kept.current) return
    scrollBy(0, element.getBoundingClientRect().top - kept.current.top)
    element.focus({ preventScroll: true })
    kept.current = undefined
  }, [messages])

  return ({ id }: TicketMessage) => {
    const top = messageElement(id)?.getBoundingClientRect().top
    if (top !== undefined) kept.current = { id, top }
  }
}

import { createHash } from 'node:crypto'
import type { Client } from '@slipway/contract/client'
import type { ResponseOf } from '@slipway/contract/endpoint'
import {
  listOlderOperatorMessages,
  listOperatorTickets,
  type OperatorTicket,
  replyToTicket,
  viewOperatorTicket,
} from '@slipway/contract/operator'
import { type Locale, m } from '@slipway/phrases'
import { withRetries } from '@slipway/terminal/service'
import { matchId } from './match-id.ts'

export type Page = ResponseOf<typeof listOperatorTickets>
export type Thread = ResponseOf<typeof viewOperatorTicket>

/** Finds a ticket's id. Throws a `CommandError` unless one matches. */
const findId = (call: Client, requestedId: string, locale: Locale): Promise<string> =>
  matchId(requestedId, locale, {
    missing: m.operator_ticket_missing,
    find: async (part) => {
      const query = { search: part.slice(0, 200), perPage: 100 }
      const { items } = await call(listOperatorTickets, { query })
      return items.map(({ id }) => id)
    },
  })

/** A ticket with its newest messages, or with `all` of them. */
export async function findTicket(
  call: Client,
  requestedId: string,
  locale: Locale,
  { all } = { all: false },
): Promise<Thread> {
  const params = { id: await findId(call, requestedId, locale) }
  let thread = await call(viewOperatorTicket, { params })
  while (all && thread.olderMessages > 0 && thread.messages[0]) {
    const query = { before: thread.messages[0].id }
    const older = await call(listOlderOperatorMessages, { params, query })
    thread = { ...thread, ...older, messages: [...older.messages, ...thread.messages] }
  }
  return thread
}

/**
 * The idempotency key of a reply, a UUIDv8 (RFC 9562 §5.8). The same text after the same user
 * message has the same key, so repeating a command after a lost response sends nothing twice.
 */
function replyKey({ id, user, messages }: Thread, text: string) {
  const lastMessage = messages.findLast(({ userId }) => userId === user.id)
  const hash = createHash('sha256')
    .update(JSON.stringify([id, lastMessage?.id, text.trim()]))
    .digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

/** Sends a reply. Returns the ticket's user, and whether the reply was sent before. */
export async function reply(
  call: Client,
  requestedId: string,
  text: string,
  locale: Locale,
): Promise<{ user: OperatorTicket['user']; alreadySent: boolean }> {
  const thread = await findTicket(call, requestedId, locale)
  const body = { text, idempotencyKey: replyKey(thread, text) }
  const { id: messageId } = await withRetries(() =>
    call(replyToTicket, { params: { id: thread.id }, body }),
  )
  return { user: thread.user, alreadySent: thread.messages.some(({ id }) => id === messageId) }
}

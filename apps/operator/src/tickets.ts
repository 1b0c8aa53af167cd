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
import { Failure } from './failure.ts'
import { persistently } from './service.ts'

export type Page = ResponseOf<typeof listOperatorTickets>
export type Thread = ResponseOf<typeof viewOperatorTicket>

const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The fewest characters of an id that stand for it. */
const shortest = 8

/** The ticket of an id, or of its beginning or end as lists show it. Throws a `Failure` when that is not one. */
async function findId(call: Client, given: string, locale: Locale): Promise<string> {
  // Lists put an ellipsis before the end of an id.
  const part = given.replace(/^…/, '').toLowerCase()
  if (wholeId.test(part)) return part
  if (part.length < shortest) throw new Failure(m.operator_id_short({}, { locale }))
  const { items } = await call(listOperatorTickets, {
    query: { search: part.slice(0, 200), perPage: 100 },
  })
  const ids = items.map(({ id }) => id).filter((id) => id.startsWith(part) || id.endsWith(part))
  const [id, another] = ids
  if (!id) throw new Failure(m.operator_ticket_missing({ id: given }, { locale }))
  if (another) throw new Failure(m.operator_id_ambiguous({ id: given }, { locale }))
  return id
}

/** A ticket with its newest messages, or with `all` of them. */
export async function findTicket(
  call: Client,
  given: string,
  locale: Locale,
  { all } = { all: false },
): Promise<Thread> {
  const params = { id: await findId(call, given, locale) }
  let thread = await call(viewOperatorTicket, { params })
  while (all && thread.olderMessages > 0 && thread.messages[0]) {
    const query = { before: thread.messages[0].id }
    const older = await call(listOlderOperatorMessages, { params, query })
    thread = { ...thread, ...older, messages: [...older.messages, ...thread.messages] }
  }
  return thread
}

/**
 * A key that is the same whenever the same text answers the same message, so that a command that is run
 * again after its answer was lost does not send twice. A UUIDv8 (RFC 9562 §5.8).
 */
function replyKey({ id, user, messages }: Thread, text: string) {
  const answered = messages.findLast(({ userId }) => userId === user.id)
  const hash = createHash('sha256')
    .update(JSON.stringify([id, answered?.id, text.trim()]))
    .digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

/** Sends a reply; gives whose ticket it is, and whether it stood there before. */
export async function reply(
  call: Client,
  given: string,
  text: string,
  locale: Locale,
): Promise<{ user: OperatorTicket['user']; again: boolean }> {
  const thread = await findTicket(call, given, locale)
  const body = { text, idempotencyKey: replyKey(thread, text) }
  const { id: messageId } = await persistently(() =>
    call(replyToTicket, { params: { id: thread.id }, body }),
  )
  return { user: thread.user, again: thread.messages.some(({ id }) => id === messageId) }
}

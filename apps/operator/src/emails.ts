import type { Client } from '@slipway/contract/client'
import {
  listStuckEmails,
  retryEmail,
  type StuckEmail,
  type StuckEmailState,
} from '@slipway/contract/emails'
import { type Locale, m } from '@slipway/phrases'
import type { Column } from '@slipway/terminal/table'
import type { Terminal } from '@slipway/terminal/terminal'
import { oneLine } from '@slipway/terminal/text'
import { matchId } from './match-id.ts'

/** Every undelivered email. */
async function listAll(call: Client, state?: StuckEmailState): Promise<StuckEmail[]> {
  const emails: StuckEmail[] = []
  for (let page = 1; ; page++) {
    const { items, totalPages } = await call(listStuckEmails, {
      query: { page, perPage: 100, state },
    })
    emails.push(...items)
    if (page >= totalPages) return emails
  }
}

/** Tries one email again, found by its id or a part of it. */
export async function retryOne(
  call: Client,
  requestedId: string,
  locale: Locale,
): Promise<StuckEmail> {
  const id = await matchId(requestedId, locale, {
    missing: m.operator_email_missing,
    find: async () => (await listAll(call)).map((email) => email.id),
  })
  return call(retryEmail, { params: { id } })
}

/** Tries all emails again that failed; returns their number. */
export async function retryAll(call: Client): Promise<number> {
  const failed = await listAll(call, 'failed')
  for (const { id } of failed) await call(retryEmail, { params: { id } })
  return failed.length
}

const states: Record<
  StuckEmailState,
  (inputs: object, options: { locale: Terminal['locale'] }) => string
> = { queued: m.operator_email_queued, failed: m.operator_email_failed }

/** The columns of the list of emails. */
export function emailColumns({ locale, style, ago }: Terminal): Column<StuckEmail>[] {
  return [
    { title: m.support_id({}, { locale }), cell: ({ id }) => id.slice(-8) },
    {
      title: m.support_state({}, { locale }),
      cell: ({ state }) => states[state]({}, { locale }),
      style: (text, { state }) => style(state === 'failed' ? 'yellow' : 'dim', text),
    },
    {
      title: m.operator_email_recipient({}, { locale }),
      cell: ({ recipient }) => oneLine(recipient),
      narrowWidth: { preferred: 40, min: 12 },
    },
    {
      title: m.support_subject({}, { locale }),
      cell: ({ subject }) => oneLine(subject),
      narrowWidth: { preferred: 60, min: 12 },
    },
    { title: m.operator_email_attempts({}, { locale }), cell: ({ attempts }) => String(attempts) },
    { title: m.operator_email_created({}, { locale }), cell: ({ createdAt }) => ago(createdAt) },
    {
      title: m.operator_email_reason({}, { locale }),
      cell: ({ reason }) => oneLine(reason ?? ''),
      narrowWidth: { preferred: 200, min: 16 },
    },
  ]
}

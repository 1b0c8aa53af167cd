import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { pageOf, pageQuery } from './pagination.ts'

export type EmailId = Id<'Mail'>

export const stuckEmailStates = ['queued', 'failed'] as const
export type StuckEmailState = (typeof stuckEmailStates)[number]

/** An undelivered email: `queued` is retried, `failed` no longer. */
export const stuckEmail = z.object({
  id: idOutput<'Mail'>(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(stuckEmailStates),
  attempts: z.number(),
  /** The mail server's response to the last attempt. */
  reason: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  nextAttemptAt: z.nullable(z.iso.datetime()),
})
export type StuckEmail = z.output<typeof stuckEmail>

export const listStuckEmails = endpoint('GET /operator/email/all', {
  summary: 'List undelivered emails, queued for a retry or failed, newest first',
  access: 'operator',
  query: z.extend(pageQuery, { state: z.optional(z.enum(stuckEmailStates)) }),
  response: pageOf(stuckEmail),
})

export const retryEmail = endpoint('POST /operator/email/retry/:id', {
  summary: 'Retry the delivery of an email now',
  access: 'operator',
  params: { id: idInput<'Mail'>() },
  response: stuckEmail,
  errors: ['item_not_found'],
})

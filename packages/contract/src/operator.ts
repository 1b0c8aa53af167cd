import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { multilineText } from './field-schemas.ts'
import { idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { project, suspensionReasons } from './projects.ts'
import { olderMessagesQuery, ticket, ticketMessage, ticketStates, ticketThread } from './support.ts'

const id = idInput<'Ticket'>()

/** A ticket as operators see it: with its user, and whether it waits for a reply. */
export const operatorTicket = z.extend(z.omit(ticket, { unread: true }), {
  user: z.object({ id: idOutput<'User'>(), name: z.string(), email: z.string() }),
  waiting: z.boolean(),
})
export type OperatorTicket = z.output<typeof operatorTicket>

export const listOperatorTickets = endpoint('GET /operator/ticket/all', {
  summary:
    'List the tickets of all users: those that wait for a reply first, the longest wait first',
  access: 'operator',
  query: z.extend(pageQuery, {
    state: z.optional(z.enum(ticketStates)),
    /** A part of a subject, name, email address or id; I, İ, ı and i are equal. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
  response: pageOf(operatorTicket),
})

export const viewOperatorTicket = endpoint('GET /operator/ticket/view/:id', {
  summary: 'Get a ticket with its newest messages',
  access: 'operator',
  params: { id },
  response: z.extend(operatorTicket, ticketThread),
  errors: ['ticket_not_found'],
})

export const listOlderOperatorMessages = endpoint('GET /operator/ticket/view/:id/older', {
  summary: "List the newest of a ticket's messages that are older than a given message",
  access: 'operator',
  params: { id },
  query: olderMessagesQuery,
  response: z.object(ticketThread),
  errors: ['ticket_not_found', 'item_not_found'],
})

export const replyToTicket = endpoint('POST /operator/ticket/message/:id/create', {
  summary: 'Reply to a ticket, and send the reply to its user by email',
  access: 'operator',
  params: { id },
  body: z.object({
    text: multilineText('form_enter_message', limits.ticketMessageMax),
    idempotencyKey: z.optional(z.uuid()),
  }),
  response: ticketMessage,
  // `message_limit_reached`: only in the operator's own ticket, where they write as its user.
  errors: ['ticket_not_found', 'ticket_closed', 'message_limit_reached'],
})

/** A project as operators see it: with the note on its suspension. */
export const operatorProject = z.extend(project, { suspensionNote: z.nullable(z.string()) })
export type OperatorProject = z.output<typeof operatorProject>

const key = { key: z.string().check(z.maxLength(limits.domainMax)) }

export const startProjectEmpty = endpoint('POST /operator/project/start-empty/:key', {
  summary: 'Give up the lost files of a project and create its site again, empty',
  access: 'operator',
  params: key,
  response: z.pick(project, { key: true, name: true, state: true }),
  // `item_not_found`: no files to give up, because the project's files are present.
  errors: ['project_not_found', 'item_not_found'],
})

export const viewOperatorProject = endpoint('GET /operator/project/view/:key', {
  summary: 'Get any project by its key',
  access: 'operator',
  params: key,
  response: operatorProject,
  errors: ['project_not_found'],
})

export const suspendProject = endpoint('POST /operator/project/suspend/:key', {
  summary: 'Suspend a project, or change the reason, and email the members of its team',
  access: 'operator',
  params: key,
  body: z.object({
    reason: z.enum(suspensionReasons),
    /** For operators; members never see it. */
    note: z.optional(multilineText('form_enter_message', limits.suspensionNoteMax)),
  }),
  response: operatorProject,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

export const resumeProject = endpoint('POST /operator/project/resume/:key', {
  summary: 'End the suspension of a project; no effect if it is not suspended',
  access: 'operator',
  params: key,
  response: operatorProject,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

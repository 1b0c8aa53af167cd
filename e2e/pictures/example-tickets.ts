import type { Client } from '@slipway/contract/client'
import { day, hour, minute } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import {
  createTicket,
  markTicketRead,
  resolveTicket,
  sendTicketMessage,
  type TicketId,
} from '@slipway/contract/support'
import type { TestDatabase } from '../harness/database.ts'
import type { TestUser } from '../harness/user.ts'

type Message = { by: 'user' | 'team'; text: string; age: number }
type Example = { subject: string; conversation: Message[]; resolved?: number; unread?: boolean }

/** The oldest first. Ages are in milliseconds. */
const examples: Record<'closed' | 'resolved' | 'open' | 'unread', Example> = {
  closed: {
    subject: 'Where do I find the key of a project?',
    conversation: [
      { by: 'user', text: 'I need it for the login of my site.', age: 40 * day },
      { by: 'team', text: 'On the tab Settings of the project.', age: 39 * day },
    ],
    resolved: 38 * day,
  },
  resolved: {
    subject: 'Custom domain of the Old Mill Museum',
    conversation: [
      { by: 'user', text: 'The domain has moved. What should its record say?', age: 2 * day },
      {
        by: 'team',
        text: 'A CNAME record. The tab Domains of the project shows its value.',
        age: 26 * hour,
      },
      { by: 'user', text: 'It works now, thank you.', age: 3 * hour },
    ],
    resolved: 3 * hour,
  },
  open: {
    subject: 'Is there a way to move a project to another team?',
    conversation: [{ by: 'user', text: 'Two of us would like to swap.', age: 5 * hour }],
  },
  unread: {
    subject: 'The Winter Fair could not be created',
    conversation: [
      {
        by: 'user',
        text: 'Since this morning the project says:\n\n“The site didn’t respond in time.”\n\nI have clicked Retry twice. What can I do?',
        age: 27 * hour,
      },
      {
        by: 'team',
        text: 'Thank you for telling us. One of the machines was full; it has free capacity again. Could you please click Retry once more?',
        age: 26 * hour,
      },
      { by: 'user', text: 'It is ready! And https://www.example.com/winter-fair?', age: 2 * hour },
      {
        by: 'team',
        text: 'That needs the DNS record on the tab Domains of the project. How to set one:\nhttps://www.example.com/help/dns-records\n\nOr write to ada@example.com, who looks after the domain.',
        age: 4 * minute,
      },
    ],
    unread: true,
  },
}

/** Creates a ticket in each state, and returns a function from state to id. */
export async function createExampleTickets(
  database: TestDatabase,
  user: TestUser,
  operator: Client,
) {
  const ids: Partial<Record<keyof typeof examples, TicketId>> = {}
  for (const [name, example] of Object.entries(examples))
    ids[name as keyof typeof examples] = await createExampleTicket(
      database,
      user,
      operator,
      example,
    )
  return (name: keyof typeof examples) => {
    const id = ids[name]
    if (!id) throw new Error(`no example ticket is ${name}`)
    return id
  }
}

async function createExampleTicket(
  { pool }: TestDatabase,
  user: TestUser,
  operator: Client,
  { subject, conversation, resolved, unread }: Example,
) {
  const [first, ...others] = conversation
  const ticket = await user.call(createTicket, {
    body: { subject, message: first?.text ?? '' },
  })
  const params = { id: ticket.id }
  const messages = [...ticket.messages]
  for (const { by, text } of others)
    messages.push(
      by === 'user'
        ? await user.call(sendTicketMessage, { params, body: { text } })
        : await operator(replyToTicket, { params, body: { text } }),
    )
  const last = messages.at(-1)
  if (!unread && last) await user.call(markTicketRead, { params, body: { messageId: last.id } })
  if (resolved) await user.call(resolveTicket, { params, body: { state: 'resolved' } })

  // Everything was created just now, so it is backdated.
  const ago = (age: number) => new Date(Date.now() - age)
  for (const [index, { age }] of conversation.entries())
    await pool.query('update support_messages set created_at = $1, updated_at = $1 where id = $2', [
      ago(age),
      messages[index]?.id,
    ])
  await pool.query(
    'update support_tickets set created_at = $1, updated_at = $2, resolved_at = $3 where id = $4',
    [
      ago(first?.age ?? 0),
      ago(conversation.at(-1)?.age ?? 0),
      resolved ? ago(resolved) : null,
      ticket.id,
    ],
  )
  return ticket.id
}

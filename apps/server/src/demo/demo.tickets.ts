import { day, hour, minute } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import {
  createTicket,
  listTickets,
  markTicketRead,
  resolveTicket,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import type { DemoContext, DemoStep } from './demo.context.ts'
import { ada, grace, operator, type Person } from './demo.people.ts'

type Said = { by: 'user' | 'team'; text: string; age: number }
type Example = { by: Person; subject: string; said: Said[]; resolved?: number; unread?: boolean }

/** Ages in milliseconds. */
const examples: Example[] = [
  {
    by: ada,
    subject: 'Where do I find the key of a project?',
    said: [
      { by: 'user', text: 'I need it for the login of my site.', age: 40 * day },
      { by: 'team', text: 'On the page of the project, under Details.', age: 39 * day },
    ],
    resolved: 38 * day,
  },
  {
    by: ada,
    subject: 'Custom domain of the Old Mill Museum',
    said: [
      { by: 'user', text: 'The domain has moved. What should its record say?', age: 2 * day },
      {
        by: 'team',
        text: 'A CNAME record that points at the host on the page of the project.',
        age: 26 * hour,
      },
      { by: 'user', text: 'It is set now, thank you.', age: 9 * hour },
    ],
    resolved: 9 * hour,
  },
  {
    by: ada,
    subject: 'The Winter Fair could not be created',
    said: [
      {
        by: 'user',
        text: 'Since this morning the project says:\n\n“The site didn’t respond in time.”\n\nWhat can I do?',
        age: 5 * hour,
      },
      {
        by: 'team',
        text: 'Thank you for telling us. One of the machines was full; it has free capacity again. Could you please press Retry?',
        age: 35 * minute,
      },
    ],
    unread: true,
  },
  {
    by: ada,
    subject: 'Is there a way to move a project to another team?',
    said: [{ by: 'user', text: 'Two of us would like to swap.', age: 3 * hour }],
  },
  {
    by: grace,
    subject: 'May I have the invoice of this month today?',
    said: [
      { by: 'user', text: 'Our books are closed early this time.', age: 7 * hour },
      { by: 'team', text: 'Of course: it is issued now, up to this hour.', age: 2 * hour },
    ],
    unread: true,
  },
]

const find = async (demo: DemoContext, { by, subject }: Example) => {
  const call = await demo.as(by)
  const ticket = (await call(listTickets)).find((ticket) => ticket.subject === subject)
  if (!ticket) throw new Error(`there is no ticket ${subject}`)
  return { call, params: { id: ticket.id } }
}

async function sendMessage(demo: DemoContext, example: Example, { by, text }: Said) {
  const { call, params } = await find(demo, example)
  if (by === 'user') await call(sendTicketMessage, { params, body: { text } })
  else await (await demo.as(operator))(replyToTicket, { params, body: { text } })
  if (by === 'user' || example.unread) return
  const last = (await call(viewTicket, { params })).messages.at(-1)
  if (last) await call(markTicketRead, { params, body: { messageId: last.id } })
}

/** Open and resolved tickets of both users, some with unread replies. */
export function ticketSteps(ago: (age: number) => Date): DemoStep[] {
  return examples.flatMap((example) => {
    const { by, subject, said, resolved } = example
    const [first, ...others] = said
    const steps: DemoStep[] = [
      {
        at: ago(first?.age ?? 0),
        async run(demo) {
          const body = { subject, message: first?.text ?? '' }
          await (await demo.as(by))(createTicket, { body })
        },
      },
      ...others.map((message) => ({
        at: ago(message.age),
        run: (demo: DemoContext) => sendMessage(demo, example, message),
      })),
    ]
    if (resolved)
      steps.push({
        at: ago(resolved),
        async run(demo) {
          const { call, params } = await find(demo, example)
          await call(resolveTicket, { params, body: { state: 'resolved' } })
        },
      })
    return steps
  })
}

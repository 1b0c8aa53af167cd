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

type Message = { sender: 'user' | 'team'; text: string; age: number }
type Example = {
  user: Person
  subject: string
  messages: Message[]
  resolved?: number
  unread?: boolean
}

/** Ages in milliseconds. */
const examples: Example[] = [
  {
    user: ada,
    subject: 'Where do I find the key of a project?',
    messages: [
      { sender: 'user', text: 'I need it for the login of my site.', age: 40 * day },
      { sender: 'team', text: 'On the tab Settings of the project.', age: 39 * day },
    ],
    resolved: 38 * day,
  },
  {
    user: ada,
    subject: 'Custom domain of the Old Mill Museum',
    messages: [
      { sender: 'user', text: 'The domain has moved. What should its record say?', age: 2 * day },
      {
        sender: 'team',
        text: 'A CNAME record. The tab Domains of the project shows its value.',
        age: 26 * hour,
      },
      { sender: 'user', text: 'It is set now, thank you.', age: 9 * hour },
    ],
    resolved: 9 * hour,
  },
  {
    user: ada,
    subject: 'The Winter Fair could not be created',
    messages: [
      {
        sender: 'user',
        text: 'Since this morning the project says:\n\n“The site didn’t respond in time.”\n\nWhat can I do?',
        age: 5 * hour,
      },
      {
        sender: 'team',
        text: 'Thank you for telling us. One of the machines was full; it has free capacity again. Could you please click Retry?',
        age: 35 * minute,
      },
    ],
    unread: true,
  },
  {
    user: ada,
    subject: 'Is there a way to move a project to another team?',
    messages: [{ sender: 'user', text: 'Two of us would like to swap.', age: 3 * hour }],
  },
  {
    user: grace,
    subject: 'May I have the invoice of this month today?',
    messages: [
      { sender: 'user', text: 'Our books are closed early this time.', age: 7 * hour },
      { sender: 'team', text: 'Of course: it is issued now, up to this hour.', age: 2 * hour },
    ],
    unread: true,
  },
]

const find = async (demo: DemoContext, { user, subject }: Example) => {
  const call = await demo.as(user)
  const ticket = (await call(listTickets)).find((ticket) => ticket.subject === subject)
  if (!ticket) throw new Error(`there is no ticket ${subject}`)
  return { call, params: { id: ticket.id } }
}

async function sendMessage(demo: DemoContext, example: Example, { sender, text }: Message) {
  const { call, params } = await find(demo, example)
  if (sender === 'user') await call(sendTicketMessage, { params, body: { text } })
  else await (await demo.as(operator))(replyToTicket, { params, body: { text } })
  if (sender === 'user' || example.unread) return
  const last = (await call(viewTicket, { params })).messages.at(-1)
  if (last) await call(markTicketRead, { params, body: { messageId: last.id } })
}

/** Open and resolved tickets of both users, some with unread replies. */
export function ticketSteps(ago: (age: number) => Date): DemoStep[] {
  return examples.flatMap((example) => {
    const { user, subject, messages, resolved } = example
    const [first, ...others] = messages
    const steps: DemoStep[] = [
      {
        time: ago(first?.age ?? 0),
        async run(demo) {
          const body = { subject, message: first?.text ?? '' }
          await (await demo.as(user))(createTicket, { body })
        },
      },
      ...others.map((message) => ({
        time: ago(message.age),
        run: (demo: DemoContext) => sendMessage(demo, example, message),
      })),
    ]
    if (resolved)
      steps.push({
        time: ago(resolved),
        async run(demo) {
          const { call, params } = await find(demo, example)
          await call(resolveTicket, { params, body: { state: 'resolved' } })
        },
      })
    return steps
  })
}

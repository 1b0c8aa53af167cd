import { limits } from '@slipway/contract/limits'
import type { OperatorTicket } from '@slipway/contract/operator'
import type { TicketState } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { type Column, table } from './table.ts'
import type { Terminal } from './terminal.ts'
import { linesOf, oneLine, wrap } from './text.ts'
import type { Page, Thread } from './tickets.ts'

/** Lines that are longer than this are hard to read. */
const readable = 100

const states: Record<
  TicketState,
  (inputs: object, options: { locale: Terminal['locale'] }) => string
> = { open: m.support_state_open, resolved: m.support_state_resolved }

const stateOf = ({ state, waiting }: OperatorTicket, { locale }: Terminal) =>
  waiting ? m.operator_waiting({}, { locale }) : states[state]({}, { locale })

function columnsOf(terminal: Terminal): Column<OperatorTicket>[] {
  const { locale, style, ago } = terminal
  return [
    { title: m.support_id({}, { locale }), cell: ({ id }) => id.slice(-8) },
    {
      title: m.support_state({}, { locale }),
      cell: (ticket) => stateOf(ticket, terminal),
      style: (text, { waiting }) => style(waiting ? 'yellow' : 'dim', text),
    },
    {
      title: m.support_subject({}, { locale }),
      cell: ({ subject }) => oneLine(subject),
      cut: { most: 200, least: 16 },
    },
    {
      title: m.operator_from({}, { locale }),
      cell: ({ user }) => oneLine(user.name),
      cut: { most: 24, least: 10 },
    },
    { title: m.support_updated({}, { locale }), cell: ({ updatedAt }) => ago(updatedAt) },
  ]
}

/** A page of the list, and how to get the next one. */
export function listScreen(
  { items, currentPage: page, totalPages: pages }: Page,
  terminal: Terminal,
): string[] {
  const { locale, columns, style } = terminal
  if (pages === 0) return [m.operator_list_empty({}, { locale })]
  if (items.length === 0) return [m.operator_page_empty({ page, pages }, { locale })]
  const heading = (text: string) => style('bold', text)
  return [
    ...table(columnsOf(terminal), items, { columns, heading }),
    ...(pages > 1 ? ['', m.operator_page({ page, pages }, { locale })] : []),
  ]
}

/** When a ticket that is resolved takes no more messages. */
function closing({ resolvedAt }: Thread, { locale, exact }: Terminal): string[] {
  if (resolvedAt === null) return []
  const closesAt = Date.parse(resolvedAt) + limits.ticketClosesAfter
  if (closesAt < Date.now()) return [m.error_ticket_closed({}, { locale })]
  return [m.operator_open_until({ time: exact(new Date(closesAt).toISOString()) }, { locale })]
}

/** What a very long thread has besides what is shown. */
const older = ({ olderMessages: count }: Thread, { locale }: Terminal): string[] =>
  count > 0 ? [m.support_older_messages({ count }, { locale })] : []

/** A ticket with its messages, oldest first. */
export function threadScreen(thread: Thread, terminal: Terminal): string[] {
  const { locale, columns, style, ago, exact } = terminal
  const room = Math.min(columns, readable)
  const wrapped = (text: string, indent: string) =>
    linesOf(text)
      .flatMap((line) => wrap(line, room - indent.length))
      .map((line) => (line === '' ? '' : indent + line))
  const userName = oneLine(thread.user.name)
  const times = m.operator_opened({ time: ago(thread.createdAt) }, { locale })
  return [
    ...wrap(oneLine(thread.subject), room).map((line) => style('bold', line)),
    `${userName} <${oneLine(thread.user.email)}>`,
    style(thread.waiting ? 'yellow' : 'dim', `${stateOf(thread, terminal)} · ${times}`),
    style('dim', thread.id),
    ...older(thread, terminal).flatMap((line) => ['', style('dim', line)]),
    ...thread.messages.flatMap(({ userId, text, createdAt }) => {
      const name = userId === thread.user.id ? userName : m.support_team({}, { locale })
      const time = `${ago(createdAt)} · ${exact(createdAt)}`
      return ['', `${style('bold', name)} ${style('dim', time)}`, ...wrapped(text, '  ')]
    }),
    ...closing(thread, terminal).flatMap((line) => ['', style('dim', line)]),
  ]
}

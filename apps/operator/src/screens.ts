import type { StuckEmail } from '@slipway/contract/emails'
import { limits } from '@slipway/contract/limits'
import type { OperatorTicket } from '@slipway/contract/operator'
import type { RuntimeVersion } from '@slipway/contract/runtimes'
import type { TicketState } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { type Column, table } from '@slipway/terminal/table'
import type { Terminal } from '@slipway/terminal/terminal'
import { oneLine, splitLines, wrap } from '@slipway/terminal/text'
import { emailColumns } from './emails.ts'
import type { Page, Thread } from './tickets.ts'

/** The longest line that is easy to read. */
const maxLineWidth = 100

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
      narrowWidth: { preferred: 200, min: 16 },
    },
    {
      title: m.operator_from({}, { locale }),
      cell: ({ user }) => oneLine(user.name),
      narrowWidth: { preferred: 24, min: 10 },
    },
    { title: m.support_updated({}, { locale }), cell: ({ updatedAt }) => ago(updatedAt) },
  ]
}

type PageOf<Row> = { items: readonly Row[]; currentPage: number; totalPages: number }

/** The lines of a page of a list, with its number if there are several. */
function pageScreen<Row>(
  { items, currentPage: page, totalPages: pages }: PageOf<Row>,
  { locale, columns, style }: Terminal,
  layout: readonly Column<Row>[],
  empty: string,
): string[] {
  if (pages === 0) return [empty]
  if (items.length === 0) return [m.operator_page_empty({ page, pages }, { locale })]
  const heading = (text: string) => style('bold', text)
  return [
    ...table(layout, items, { columns, heading }),
    ...(pages > 1 ? ['', m.operator_page({ page, pages }, { locale })] : []),
  ]
}

export const listScreen = (page: Page, terminal: Terminal): string[] =>
  pageScreen(
    page,
    terminal,
    columnsOf(terminal),
    m.operator_list_empty({}, { locale: terminal.locale }),
  )

export const emailsScreen = (page: PageOf<StuckEmail>, terminal: Terminal): string[] =>
  pageScreen(
    page,
    terminal,
    emailColumns(terminal),
    m.operator_emails_empty({}, { locale: terminal.locale }),
  )

/** The lines of the versions that operators added. */
export function runtimesScreen(
  versions: readonly RuntimeVersion[],
  { locale, columns, style, ago }: Terminal,
): string[] {
  if (versions.length === 0) return [m.operator_runtimes_none({}, { locale })]
  const layout: Column<RuntimeVersion>[] = [
    { title: m.operator_runtime_column({}, { locale }), cell: ({ runtime }) => runtime },
    { title: m.operator_version_column({}, { locale }), cell: ({ version }) => oneLine(version) },
    { title: m.operator_added_column({}, { locale }), cell: ({ createdAt }) => ago(createdAt) },
    { title: m.operator_digest_column({}, { locale }), cell: ({ digest }) => digest },
  ]
  return table(layout, versions, { columns, heading: (text) => style('bold', text) })
}

/** The time at which a resolved ticket closes; empty for an open ticket. */
function closingLines({ resolvedAt }: Thread, { locale, exact }: Terminal): string[] {
  if (resolvedAt === null) return []
  const closesAt = Date.parse(resolvedAt) + limits.ticketClosesAfter
  if (closesAt < Date.now()) return [m.error_ticket_closed({}, { locale })]
  return [m.operator_open_until({ time: exact(new Date(closesAt).toISOString()) }, { locale })]
}

/** The number of older messages that are not shown. */
const olderMessageLines = ({ olderMessages: count }: Thread, { locale }: Terminal): string[] =>
  count > 0 ? [m.support_older_messages({ count }, { locale })] : []

/** The lines of a ticket with its messages, oldest first. */
export function threadScreen(thread: Thread, terminal: Terminal): string[] {
  const { locale, columns, style, ago, exact } = terminal
  const lineWidth = Math.min(columns, maxLineWidth)
  const wrapped = (text: string, indent: string) =>
    splitLines(text)
      .flatMap((line) => wrap(line, lineWidth - indent.length))
      .map((line) => (line === '' ? '' : indent + line))
  const userName = oneLine(thread.user.name)
  const opened = m.operator_opened({ time: ago(thread.createdAt) }, { locale })
  return [
    ...wrap(oneLine(thread.subject), lineWidth).map((line) => style('bold', line)),
    `${userName} <${oneLine(thread.user.email)}>`,
    style(thread.waiting ? 'yellow' : 'dim', `${stateOf(thread, terminal)} · ${opened}`),
    style('dim', thread.id),
    ...olderMessageLines(thread, terminal).flatMap((line) => ['', style('dim', line)]),
    ...thread.messages.flatMap(({ userId, text, createdAt }) => {
      const name = userId === thread.user.id ? userName : m.support_team({}, { locale })
      const time = `${ago(createdAt)} · ${exact(createdAt)}`
      return ['', `${style('bold', name)} ${style('dim', time)}`, ...wrapped(text, '  ')]
    }),
    ...closingLines(thread, terminal).flatMap((line) => ['', style('dim', line)]),
  ]
}

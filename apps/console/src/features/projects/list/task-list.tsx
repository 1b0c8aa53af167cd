import type { Invoice } from '@slipway/contract/invoices'
import { sumAmounts } from '@slipway/contract/money'
import type { Project } from '@slipway/contract/projects'
import { formatCharge, getLocale, m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../../paths.ts'
import { rowLinkClass } from '../../../ui/table/table-parts.tsx'
import { displayName } from '../display-name.ts'
import { storeTaskListHeight } from './task-list-height.ts'
import type { Tasks } from './use-tasks.ts'

/** A task that waits for the user, with the link to its page. */
type Line = {
  key: string
  isProblem: boolean
  text: string
  to: string
  label: string
}

function lineOfInvoices(unpaid: readonly Invoice[]): Line {
  const amount = formatCharge(sumAmounts(unpaid.map((invoice) => invoice.amount)), getLocale())
  return {
    key: 'invoices',
    isProblem: unpaid.some(({ overdue }) => overdue),
    text: m.needs_unpaid({ count: unpaid.length, amount }),
    to: paths.payInvoices(),
    label: m.needs_pay(),
  }
}

function problemText({ state, power, failure }: Project, name: string) {
  if (state === 'failed_creating') return m.needs_project_failed({ name })
  if (power === 'suspended') return m.needs_project_suspended({ name })
  return failure === null ? null : m.needs_project_problem({ name })
}

function lineOfProject(project: Project): Line {
  const { key } = project
  const name = displayName(project)
  const text = problemText(project, name)
  if (text !== null)
    return { key, isProblem: true, text, to: paths.project(key), label: m.needs_reason() }
  return {
    key,
    isProblem: true,
    text: m.needs_domain_failed({ domain: project.displayDomain ?? '', name }),
    to: paths.domains(key),
    label: m.needs_reason(),
  }
}

/** The lines of the list: problems first. */
export const linesOf = ({ unpaid, projects, invitationCount, replyCount }: Tasks): Line[] =>
  [
    ...(unpaid.length > 0 ? [lineOfInvoices(unpaid)] : []),
    ...projects.map(lineOfProject),
    ...(invitationCount > 0
      ? [
          {
            key: 'invitations',
            isProblem: false,
            text: m.shell_invitations_waiting({ count: invitationCount }),
            to: paths.invitations(),
            label: m.needs_review(),
          },
        ]
      : []),
    ...(replyCount > 0
      ? [
          {
            key: 'replies',
            isProblem: false,
            text: m.shell_replies_waiting({ count: replyCount }),
            to: paths.tickets(),
            label: m.needs_review(),
          },
        ]
      : []),
  ].toSorted((a, b) => Number(b.isProblem) - Number(a.isProblem))

const TaskRow = ({ line: { isProblem, text, to, label } }: { line: Line }) => (
  <li
    // The edge is inside the row, so that the texts of all rows begin at one line.
    style={isProblem ? { boxShadow: 'inset 2px 0 var(--danger)' } : undefined}
    className="relative flex min-h-9 items-center gap-3 px-4 hover:bg-hover/50 pointer-coarse:min-h-11"
  >
    {isProblem ? (
      <CircleAlert className="size-4 shrink-0 text-danger" aria-hidden />
    ) : (
      <Info className="size-4 shrink-0 text-info" aria-hidden />
    )}
    <p className="min-w-0 flex-1 py-2 wrap-anywhere">{text}</p>
    <Link
      to={to}
      aria-label={m.needs_action_named({ action: label, text })}
      className={`inline-flex items-center gap-1 rounded-md font-medium text-accent hover:underline ${rowLinkClass}`}
    >
      <span className="max-sm:hidden">{label}</span>
      <ChevronRight className="size-4" aria-hidden />
    </Link>
  </li>
)

/** A longer list is collapsed, so that the projects stay in sight. */
const maxLines = 4
const collapsedLines = 3

/** The tasks that wait for the user: one row each, which is a link as a whole. */
export function TaskList({ tasks }: { tasks: Tasks }) {
  const section = useRef<HTMLElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const lines = linesOf(tasks)
  const more = lines.length > maxLines ? lines.length - collapsedLines : 0
  // After each render, because the number of lines changes. After a reload the list is collapsed.
  useEffect(() => {
    if (section.current && !isOpen) storeTaskListHeight(section.current.offsetHeight)
  })
  return (
    <section
      ref={section}
      aria-label={m.needs_title()}
      className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
    >
      <ul className="divide-y divide-line">
        {lines.slice(0, isOpen || more === 0 ? undefined : collapsedLines).map((line) => (
          <TaskRow key={line.key} line={line} />
        ))}
      </ul>
      {more > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="control-height w-full pl-11 text-left font-medium text-accent transition-colors -outline-offset-2 hover:bg-hover/50"
        >
          {isOpen ? m.needs_fewer() : m.needs_more({ number: more })}
        </button>
      )}
    </section>
  )
}

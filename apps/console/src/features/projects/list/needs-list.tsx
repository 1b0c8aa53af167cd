import type { Invoice } from '@slipway/contract/invoices'
import { sumAmounts } from '@slipway/contract/money'
import type { Project } from '@slipway/contract/projects'
import { formatCharge, getLocale, m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import { useEffect, useRef } from 'react'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { displayName } from '../display-name.ts'
import { storeNeedsHeight } from './needs-height.ts'
import type { Needs } from './use-needs.ts'

/** A need in one line, with the link to where the user can do it. */
type Line = { key: string; isProblem: boolean; text: string; to: string; label: string }

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
    return { key, isProblem: true, text, to: paths.project(key), label: m.needs_open() }
  return {
    key,
    isProblem: true,
    text: m.needs_domain_failed({ domain: project.displayDomain ?? '', name }),
    to: paths.domains(key),
    label: m.needs_fix(),
  }
}

const linesOf = ({ unpaid, projects, invitationCount, replyCount }: Needs): Line[] => [
  ...(unpaid.length > 0 ? [lineOfInvoices(unpaid)] : []),
  ...projects.map(lineOfProject),
  ...(invitationCount > 0
    ? [
        {
          key: 'invitations',
          isProblem: false,
          text: m.shell_invitations_waiting({ count: invitationCount }),
          to: paths.invitations(),
          label: m.needs_view(),
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
          label: m.needs_read(),
        },
      ]
    : []),
]

/** What waits for the user, each with its button. */
export function NeedsList({ needs }: { needs: Needs }) {
  const section = useRef<HTMLElement>(null)
  // After each render: the number of lines changes, and narrow windows wrap them.
  useEffect(() => {
    if (section.current) storeNeedsHeight(section.current.offsetHeight)
  })
  return (
    <section
      ref={section}
      aria-label={m.needs_title()}
      className="rounded-md border border-line bg-surface px-4 sm:px-6"
    >
      <ul className="divide-y divide-line">
        {linesOf(needs).map(({ key, isProblem, text, to, label }) => (
          <li key={key} className="flex min-h-11 items-center gap-3 py-1.5">
            {isProblem ? (
              <CircleAlert className="size-4 shrink-0 text-danger" aria-hidden />
            ) : (
              <Info className="size-4 shrink-0 text-info" aria-hidden />
            )}
            <p className="min-w-0 flex-1 wrap-anywhere">{text}</p>
            <ButtonLink to={to} aria-label={m.needs_action_named({ action: label, text })}>
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

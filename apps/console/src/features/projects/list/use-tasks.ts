import type { Invoice } from '@slipway/contract/invoices'
import type { Project } from '@slipway/contract/projects'
import { useQuery } from '@tanstack/react-query'
import { invitationsQuery, unpaidInvoicesQuery, unreadTicketsQuery } from '../../../api/queries.ts'

export type Tasks = {
  /** The unpaid invoices without a payment in progress. */
  unpaid: Invoice[]
  /** Projects that failed, are suspended or have a problem, also with their domain. */
  projects: Project[]
  invitationCount: number
  replyCount: number
}

/** Further projects are marked in the list below only. */
const maxProjects = 3

/** True for a project that failed, is suspended or has a problem, also with its domain. */
export const hasProblem = ({ state, power, failure, domainState }: Project) =>
  state !== 'deleting' &&
  state !== 'deleted' &&
  (state === 'failed_creating' ||
    power === 'suspended' ||
    failure !== null ||
    domainState === 'failed')

export const countTasks = ({ unpaid, projects, invitationCount, replyCount }: Tasks) =>
  Math.min(unpaid.length, 1) +
  projects.length +
  Math.min(invitationCount, 1) +
  Math.min(replyCount, 1)

/** The tasks that wait for the user; undefined until loaded, so that nothing moves later. */
export function useTasks(projects: readonly Project[] | undefined): Tasks | undefined {
  const [unpaid, invitations, unread] = [
    useQuery(unpaidInvoicesQuery),
    useQuery(invitationsQuery),
    useQuery(unreadTicketsQuery),
  ]
  // A failed query does not delay the list.
  const isLoading = [unpaid, invitations, unread].some(
    ({ isPending, failureCount }) => isPending && failureCount === 0,
  )
  if (!projects || isLoading) return undefined
  return {
    unpaid: (unpaid.data ?? []).filter(({ payment }) => payment?.state !== 'in_progress'),
    projects: projects.filter(hasProblem).slice(0, maxProjects),
    invitationCount: invitations.data?.length ?? 0,
    replyCount: unread.data ?? 0,
  }
}

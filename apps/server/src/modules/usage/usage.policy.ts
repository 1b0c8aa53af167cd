import type { ProjectState } from '@slipway/contract/projects'

/** True for a project that is billed: one whose site answers. */
export const isBilled: Record<ProjectState, boolean> = {
  pending: false,
  creating: false,
  failed_creating: false,
  ready: true,
  modifying: true,
  deleting: false,
  deleted: false,
}

/** The start of the calendar month that the moment is in, in UTC. */
export const monthStart = (moment: Date) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), 1))

/** The end of that month, exclusive: the start of the next. */
export const monthEnd = (moment: Date) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1))

import type { ProjectFailure, ProjectState, SuspensionReason } from '@slipway/contract/projects'

/** True for the states in which a project is billed. */
export const billedStates: Record<ProjectState, boolean> = {
  pending: false,
  creating: false,
  failed_creating: false,
  ready: true,
  modifying: true,
  deleting: false,
  deleted: false,
}

export type Billable = {
  state: ProjectState
  failure: ProjectFailure | null
  power: 'running' | 'stopped'
  suspension: SuspensionReason | null
}

/**
 * True while a project is billed: not while its data is lost, nor while it is stopped or suspended.
 */
export const isBilled = ({ state, failure, power, suspension }: Billable) =>
  billedStates[state] && failure !== 'data_missing' && power === 'running' && suspension === null

/** The start of the calendar month of a time, in UTC. */
export const monthStart = (time: Date) =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1))

/** The end of the calendar month of a time, exclusive, in UTC. */
export const monthEnd = (time: Date) =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1))

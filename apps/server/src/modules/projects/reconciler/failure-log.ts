import type { ProjectFailure } from '@slipway/contract/projects'
import type { Context } from '../../../context.ts'

/** The failures that an operator mends. Users get no message of the cluster about them. */
const messages: Partial<Record<ProjectFailure, string>> = {
  data_missing: 'a site has lost its data',
  quota_exceeded: 'a site uses all that its quota allows',
  configuration_rejected: 'the cluster rejects the configuration of a site',
}

/** Logs a new failure of a project if it is for operators. */
export function logNewFailure(
  { log }: Context,
  { key, failure: before }: { key: string; failure: ProjectFailure | null },
  failure: ProjectFailure,
  err?: unknown,
): void {
  const message = messages[failure]
  if (message !== undefined && failure !== before) log.error({ key, err }, message)
}

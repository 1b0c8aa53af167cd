import type { ProjectState } from '@slipway/contract/projects'
import type { Env } from '../../env/env.ts'

type Stateful = { state: ProjectState }

export const isDeleted = (project: Stateful) =>
  project.state === 'deleting' || project.state === 'deleted'

/** A change of hosts is visible work for a site that runs; in other states it is picked up later. */
export const stateAfterDomainChange: Record<ProjectState, ProjectState> = {
  pending: 'pending',
  creating: 'creating',
  failed_creating: 'failed_creating',
  ready: 'modifying',
  modifying: 'modifying',
  deleting: 'deleting',
  deleted: 'deleted',
}

/** True for host names that the service itself answers on: no project may take them. */
export function isReservedDomain(
  env: Pick<Env, 'PUBLIC_URL' | 'SITES_DOMAIN' | 'SITES_URL'>,
  domain: string,
) {
  const own = [env.SITES_DOMAIN, new URL(env.SITES_URL).hostname, new URL(env.PUBLIC_URL).hostname]
  return own.some((host) => domain === host || domain.endsWith(`.${host}`))
}

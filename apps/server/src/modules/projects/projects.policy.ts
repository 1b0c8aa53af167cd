import type {
  ProjectFailure,
  ProjectPower,
  ProjectState,
  SuspensionReason,
} from '@slipway/contract/projects'
import type { Env } from '../../env/env.ts'

type Stateful = { state: ProjectState }

export const isDeleted = (project: Stateful) =>
  project.state === 'deleting' || project.state === 'deleted'

/** A created site whose files are gone: it waits for them, or for an operator to give them up. */
export const hasLostData = ({
  state,
  failure,
}: Stateful & { failure: ProjectFailure | null }): boolean =>
  (state === 'ready' || state === 'modifying') && failure === 'data_missing'

type Powered = { power: 'running' | 'stopped'; suspension: SuspensionReason | null }

/** What users see: a suspension hides whether the customer stopped the site. */
export const powerOf = ({ power, suspension }: Powered): ProjectPower =>
  suspension === null ? power : 'suspended'

/** True for a project whose site should run. */
export const isPowered = (project: Powered) => powerOf(project) === 'running'

/**
 * The state after a change that takes effect when the site responds. Only a created site becomes
 * `modifying`; in other states the reconciler applies the change later.
 */
export const stateAfterChange: Record<ProjectState, ProjectState> = {
  pending: 'pending',
  creating: 'creating',
  failed_creating: 'failed_creating',
  ready: 'modifying',
  modifying: 'modifying',
  deleting: 'deleting',
  deleted: 'deleted',
}

/** True for a host name of the service itself, which no project may use. */
export function isReservedDomain(
  env: Pick<Env, 'PUBLIC_URL' | 'SITES_DOMAIN' | 'SITES_URL'>,
  domain: string,
) {
  const reserved = [
    env.SITES_DOMAIN,
    new URL(env.SITES_URL).hostname,
    new URL(env.PUBLIC_URL).hostname,
  ]
  return reserved.some((host) => domain === host || domain.endsWith(`.${host}`))
}

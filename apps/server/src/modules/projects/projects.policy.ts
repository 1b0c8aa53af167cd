import type {
  ProjectFailure,
  ProjectPower,
  ProjectState,
  SuspensionReason,
} from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'

type Stateful = { state: ProjectState }

export const isDeleted = (project: Stateful) =>
  project.state === 'deleting' || project.state === 'deleted'

/** A created site whose files are missing, until they are restored or an operator recreates it. */
export const hasLostData = ({
  state,
  failure,
}: Stateful & { failure: ProjectFailure | null }): boolean =>
  (state === 'ready' || state === 'modifying') && failure === 'data_missing'

type Powered = { power: 'running' | 'stopped'; suspension: SuspensionReason | null }

/** The power state that users see: a suspension hides whether the customer stopped the site. */
export const powerOf = ({ power, suspension }: Powered): ProjectPower =>
  suspension === null ? power : 'suspended'

export const isPowered = (project: Powered) => powerOf(project) === 'running'

/** True until a project is created: its site starts empty. Another without data has lost it. */
export const isNew = ({ state }: Stateful): boolean =>
  state === 'pending' || state === 'creating' || state === 'failed_creating'

/** True for a project whose site visitors can see. */
export const isVisible = (project: Stateful & Powered) =>
  (project.state === 'ready' || project.state === 'modifying') && isPowered(project)

/** True once visitors see more than a placeholder: a release, or a site that needs none. */
export const hasSite = ({ runtime, artifact }: { runtime: Runtime; artifact: string | null }) =>
  artifact !== null || runtime === 'starter' || runtime === 'wordpress'

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

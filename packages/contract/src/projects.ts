import * as z from 'zod/mini'
import { amount } from './amount.ts'
import { domainStates } from './domain-state.ts'
import { endpoint } from './endpoint.ts'
import { optionalDomain, singleLineText } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { requiredText } from './required-text.ts'
import { runtimes } from './runtimes.ts'

export type ProjectId = Id<'Project'>

/** A project's key: a DNS label, never reused. It names the project in its page's address. */
export type ProjectKey = Id<'ProjectKey'>

export const projectStates = [
  'pending',
  'creating',
  'failed_creating',
  'ready',
  'modifying',
  'deleting',
  'deleted',
] as const
export type ProjectState = (typeof projectStates)[number]

/** Why a project could not reach its desired state; null without an error. */
export const projectFailures = [
  'site_not_answering',
  'domain_not_routed',
  'engine_failed',
  'removal_failed',
  'no_capacity',
  'data_missing',
  /** The site has filled its disk and was stopped; it runs again once it is restarted. */
  'disk_full',
  /** The site does not start with its latest changes; the previous process keeps serving. */
  'change_unhealthy',
  /** The container image cannot be pulled from its registry. */
  'image_not_pulled',
  /** The program exits repeatedly. */
  'program_crashes',
  'out_of_memory',
  /** The volume of the site's data cannot be attached. */
  'volume_unbound',
  /** The project uses all that its size allows. */
  'quota_exceeded',
  /** The cluster rejects the project's configuration. */
  'configuration_rejected',
  /** The cluster of the project does not respond. Its site may still respond. */
  'cluster_unreachable',
] as const
export type ProjectFailure = (typeof projectFailures)[number]

/** True for a site whose program exits repeatedly. */
export const isCrashing = ({ failure }: { failure: ProjectFailure | null }): boolean =>
  failure === 'program_crashes' || failure === 'out_of_memory'

/** After these, visitors of a site that should run do not reach it. */
const outages: readonly ProjectFailure[] = [
  'site_not_answering',
  'engine_failed',
  'no_capacity',
  'data_missing',
  'disk_full',
  'image_not_pulled',
  'volume_unbound',
  'configuration_rejected',
]

/** Whether the site runs: `stopped` by the customer, `suspended` by the service. */
export const projectPowers = ['running', 'stopped', 'suspended'] as const
export type ProjectPower = (typeof projectPowers)[number]

export const suspensionReasons = ['unpaid', 'abuse'] as const
export type SuspensionReason = (typeof suspensionReasons)[number]

/**
 * The steps of a creation in order: the project waits for a worker, gets its files and its account,
 * its process starts, the site responds. An engine with other steps adds them here.
 */
export const projectSteps = ['queued', 'prepare', 'start', 'answer'] as const
export type ProjectStep = (typeof projectSteps)[number]

export const project = z.object({
  id: idOutput<'Project'>(),
  teamId: idOutput<'Team'>(),
  key: idOutput<'ProjectKey'>(),
  name: z.string(),
  /** Changes when a release of another runtime goes live. */
  runtime: z.enum(runtimes),
  /** The software that runs, such as `WordPress 6.8`; null for files, or before it has run. */
  software: z.nullable(z.string()),
  state: z.enum(projectStates),
  failure: z.nullable(z.enum(projectFailures)),
  power: z.enum(projectPowers),
  /** Null unless the project is suspended. */
  suspension: z.nullable(z.enum(suspensionReasons)),
  /** The primary domain; null without one. */
  domain: z.nullable(z.string()),
  /** The primary domain in Unicode. */
  displayDomain: z.nullable(z.string()),
  /** The state of the primary domain; null without one. */
  domainState: z.nullable(z.enum(domainStates)),
  /** True if the site's address has a certificate: its primary domain, or else its default URL. */
  secure: z.boolean(),
  /** False until its first release is live; a starter site and WordPress are a site already. */
  hasSite: z.boolean(),
  /** It is being moved to another server, and requests do not go there yet. */
  isMoving: z.boolean(),
  /** Where the gateway serves all sites. */
  sitePorts: z.object({ http: z.int(), https: z.int() }),
  /** The region's gateway, the target of a custom domain's CNAME record. */
  controllerDomain: z.string(),
  defaultUrl: z.string(),
  /** Paths at this server of a picture of the site, 1280 x 800 and 160 x 100; null without one. */
  picture: z.nullable(z.object({ large: z.string(), small: z.string() })),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Project = z.output<typeof project>

/** What is displayed in place of `ready` where the site does not run, or has no content yet. */
export const siteStates = [
  'crashing',
  'unreachable',
  'moving',
  'not_live',
  'stopped',
  'suspended',
] as const

/** The state that is displayed. */
export type ShownState = ProjectState | (typeof siteStates)[number]

export type StateFields = Pick<Project, 'state' | 'power' | 'failure' | 'hasSite' | 'isMoving'>

/** The state of a project that is displayed: `ready` only if visitors reach its site. */
export function shownState(project: StateFields): ShownState {
  const { state, power, failure } = project
  if ((state === 'ready' || state === 'modifying') && power !== 'running') return power
  if (state !== 'ready') return state
  if (isCrashing(project)) return 'crashing'
  if (failure !== null && outages.includes(failure)) return 'unreachable'
  if (project.isMoving) return 'moving'
  return project.hasSite ? 'ready' : 'not_live'
}

/** The progress of a creation. */
export const projectProgress = z.object({
  /** 1 for the creation, and one more for each retry. */
  attempt: z.int(),
  steps: z.array(
    z.object({
      step: z.enum(projectSteps),
      state: z.enum(['waiting', 'running', 'done', 'failed']),
      /** Null for a step that has not started. */
      startedAt: z.nullable(z.iso.datetime()),
      finishedAt: z.nullable(z.iso.datetime()),
      failure: z.nullable(z.enum(projectFailures)),
    }),
  ),
  /** The time of this progress by the server's clock, as the times above. */
  asOf: z.iso.datetime(),
})
export type ProjectProgress = z.output<typeof projectProgress>

export const projectDetail = z.extend(project, {
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
  /** Null for a project that was created before its progress was recorded. */
  progress: z.nullable(projectProgress),
  /** How often its program has exited since it last ran well; 0 while it runs well. */
  crashes: z.int(),
  /** The last lines of its program's output; empty while it runs well. */
  lastOutput: z.array(z.string()),
  /** A backup is being restored: visitors see that the site is starting. */
  isRestoring: z.boolean(),
  /** Its move to another server, until requests go there; null without one. */
  move: z.nullable(
    z.object({
      /** While its files are copied, visitors see that the site is starting. */
      isPaused: z.boolean(),
    }),
  ),
})
export type ProjectDetail = z.output<typeof projectDetail>

const projectName = singleLineText('form_enter_name')
const id = { id: idInput<'Project'>() }

export const listProjects = endpoint('GET /management/project/all', {
  summary: "List the projects of the user's teams; a deleted project is listed for 24 hours",
  access: 'project',
  response: z.array(project),
})

export const viewProject = endpoint('GET /management/project/view/:key', {
  summary: 'Get a project by its key, with its metadata',
  access: 'project',
  params: { key: z.string().check(z.maxLength(limits.domainMax)) },
  response: projectDetail,
  errors: ['project_not_found'],
})

export const newProject = z.object({
  name: projectName,
  teamId: idInput<'Team'>('form_select_team'),
  regionId: requiredText('form_select_region'),
  domain: optionalDomain('form_enter_domain_without_scheme'),
  runtime: z._default(z.enum(runtimes), 'starter'),
})

export const createProject = endpoint('POST /management/project/create', {
  summary: 'Create a project',
  access: 'projects',
  body: z.extend(newProject, {
    /** Generated by the client. A retried request creates one project. */
    idempotencyKey: z.optional(z.uuid()),
  }),
  response: project,
  errors: [
    'runtime_not_available',
    'team_not_found',
    'region_not_found',
    'region_full',
    'project_limit_reached',
    'domain_in_use',
  ],
})

/** The price of an hour, and the highest price of a calendar month, in US dollars. */
const rate = z.object({ hour: amount(), month: amount() })

export const projectPrice = endpoint('GET /management/project/price', {
  summary: 'Get the current price of a project, which the owner of its team pays',
  response: z.object({
    list: rate,
    /** With the discount of the caller, for the teams that they own. */
    own: rate,
  }),
})
export type ProjectPrice = z.output<typeof projectPrice.response>

export const renameProject = endpoint('PUT /management/project/update/:id/name', {
  summary: 'Rename a project',
  params: id,
  body: z.object({ name: projectName }),
  response: project,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

export const changeProjectDomain = endpoint('PUT /management/project/update/:id/domain', {
  summary: "Set or clear a project's custom domain",
  params: id,
  body: z.object({ domain: optionalDomain('form_enter_domain') }),
  response: project,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'domain_in_use'],
})

export const deleteProject = endpoint('DELETE /management/project/delete/:id', {
  summary: 'Delete a project and its site',
  access: 'projects',
  params: id,
  response: project,
  errors: ['project_not_found', 'already_deleted'],
})

export const changeProjectPower = endpoint('PUT /management/project/update/:id/power', {
  summary: 'Stop or start the site of a project; a stopped site is not billed',
  access: 'project',
  params: id,
  body: z.object({ power: z.enum(['running', 'stopped']) }),
  response: project,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'project_suspended'],
})

export const restartProject = endpoint('POST /management/project/restart/:id', {
  summary: 'Restart the site of a project',
  access: 'project',
  params: id,
  response: project,
  errors: [
    'project_not_found',
    'cannot_update_deleted_project',
    'project_suspended',
    'project_stopped',
  ],
})

export const retryProject = endpoint('POST /management/project/retry/:id', {
  summary: 'Retry the creation of a project; no effect if it has not failed',
  params: id,
  response: project,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

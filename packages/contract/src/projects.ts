import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { optionalDomain, text } from './fields.ts'
import { anyId, type Id, idOf } from './id.ts'
import { limits } from './limits.ts'

export type ProjectId = Id<'Project'>

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

/** Why a project is not what it was asked to be. Null while all is well. */
export const projectFailures = [
  'site_not_answering',
  'domain_not_routed',
  'engine_failed',
  'removal_failed',
] as const
export type ProjectFailure = (typeof projectFailures)[number]

export const project = z.object({
  id: idOf<'Project'>(),
  teamId: idOf<'Team'>(),
  /** A DNS label, unique for ever. */
  key: z.string(),
  name: z.string(),
  state: z.enum(projectStates),
  failure: z.nullable(z.enum(projectFailures)),
  domain: z.nullable(z.string()),
  /** The region's gateway: what a custom domain's CNAME record points to. */
  controllerDomain: z.string(),
  defaultUrl: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Project = z.output<typeof project>

export const projectDetail = z.extend(project, {
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
})
export type ProjectDetail = z.output<typeof projectDetail>

const projectName = text('form_enter_name')
const id = { id: anyId<'Project'>() }

export const listProjects = endpoint('GET /management/project/all', {
  summary: "The projects of the user's teams; a deleted one stays for 24 hours",
  answer: z.array(project),
})

export const viewProject = endpoint('GET /management/project/view/:key', {
  summary: 'A project by its key, with metadata',
  params: { key: z.string().check(z.maxLength(limits.domainMax)) },
  answer: projectDetail,
  errors: ['project_not_found'],
})

/** What somebody fills in to create a project. */
export const newProject = z.object({
  name: projectName,
  teamId: anyId<'Team'>('form_select_team'),
  regionId: z.string('form_select_region').check(z.trim(), z.minLength(1, 'form_select_region')),
  domain: optionalDomain('form_enter_domain_without_scheme'),
})

export const createProject = endpoint('POST /management/project/create', {
  summary: 'Create a project; it becomes ready by itself',
  body: z.extend(newProject, {
    /** Made by the client: a request that is sent again, because its answer got lost, counts once. */
    idempotencyKey: z.optional(z.uuid()),
  }),
  answer: project,
  errors: ['team_not_found', 'region_not_found', 'project_limit_reached', 'domain_in_use'],
})

export const renameProject = endpoint('PUT /management/project/update/:id/name', {
  summary: 'Rename a project',
  params: id,
  body: z.object({ name: projectName }),
  answer: project,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

export const changeProjectDomain = endpoint('PUT /management/project/update/:id/domain', {
  summary: "Set or clear a project's custom domain",
  params: id,
  body: z.object({ domain: optionalDomain('form_enter_domain') }),
  answer: project,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'domain_in_use'],
})

export const deleteProject = endpoint('DELETE /management/project/delete/:id', {
  summary: 'Delete a project and its site',
  params: id,
  answer: project,
  errors: ['project_not_found', 'already_deleted'],
})

export const retryProject = endpoint('POST /management/project/retry/:id', {
  summary: 'Try again to create a project that failed; any other is answered as it is',
  params: id,
  answer: project,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

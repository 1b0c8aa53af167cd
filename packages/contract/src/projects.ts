import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { optionalDomain, singleLineText } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { amount } from './money.ts'

export type ProjectId = Id<'Project'>

/** A project's key: a DNS label, unique for ever. It names the project in its page's address. */
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

/** Why a project is not what it was asked to be. Null while all is well. */
export const projectFailures = [
  'site_not_answering',
  'domain_not_routed',
  'engine_failed',
  'removal_failed',
] as const
export type ProjectFailure = (typeof projectFailures)[number]

/**
 * What a creation goes through, in this order: waits for a worker, gets its files and its account, has its
 * process started, and answers its visitors. An engine that does its work in other steps adds them.
 */
export const projectSteps = ['queued', 'prepare', 'start', 'answer'] as const
export type ProjectStep = (typeof projectSteps)[number]

/** What DNS says of a custom domain; `unknown` when the name servers gave no answer. */
export const dnsVerdicts = ['correct', 'missing', 'different', 'unknown'] as const
export type DnsVerdict = (typeof dnsVerdicts)[number]

export const project = z.object({
  id: idOutput<'Project'>(),
  teamId: idOutput<'Team'>(),
  key: idOutput<'ProjectKey'>(),
  name: z.string(),
  state: z.enum(projectStates),
  failure: z.nullable(z.enum(projectFailures)),
  domain: z.nullable(z.string()),
  /** Whether that domain leads to the site yet; null until it is known, and without a domain. */
  domainVerdict: z.nullable(z.enum(dnsVerdicts)),
  /** The region's gateway: what a custom domain's CNAME record points to. */
  controllerDomain: z.string(),
  defaultUrl: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Project = z.output<typeof project>

/** How a creation gets on. */
export const projectProgress = z.object({
  /** 1, and one more with each retry. */
  attempt: z.int(),
  steps: z.array(
    z.object({
      step: z.enum(projectSteps),
      state: z.enum(['waiting', 'running', 'done', 'failed']),
      /** Null while it waits, and for a step that was never come to. */
      startedAt: z.nullable(z.iso.datetime()),
      finishedAt: z.nullable(z.iso.datetime()),
      failure: z.nullable(z.enum(projectFailures)),
    }),
  ),
  /** When this was so, by the clock that the times above are of; a browser's own may differ. */
  asOf: z.iso.datetime(),
})
export type ProjectProgress = z.output<typeof projectProgress>

/** The record that a custom domain needs, and what DNS has instead. */
export const projectDns = z.object({
  name: z.string(),
  type: z.literal('CNAME'),
  expected: z.string(),
  /** As of `foundAt`; empty when there is no record. */
  found: z.array(z.object({ type: z.enum(['CNAME', 'A', 'AAAA']), value: z.string() })),
  /** Null until it is known, which the first check sees to. */
  verdict: z.nullable(z.enum(dnsVerdicts)),
  /** When DNS was last asked. */
  checkedAt: z.nullable(z.iso.datetime()),
  /** When it last answered: earlier than `checkedAt` while the verdict is `unknown`. */
  foundAt: z.nullable(z.iso.datetime()),
})
export type ProjectDns = z.output<typeof projectDns>

export const projectDetail = z.extend(project, {
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
  /** Null for a project of a time when nobody noted it. */
  progress: z.nullable(projectProgress),
  /** Null without a custom domain. */
  dns: z.nullable(projectDns),
})
export type ProjectDetail = z.output<typeof projectDetail>

const projectName = singleLineText('form_enter_name')
const id = { id: idInput<'Project'>() }

export const listProjects = endpoint('GET /management/project/all', {
  summary: "The projects of the user's teams; a deleted one stays for 24 hours",
  response: z.array(project),
})

export const viewProject = endpoint('GET /management/project/view/:key', {
  summary: 'A project by its key, with metadata',
  params: { key: z.string().check(z.maxLength(limits.domainMax)) },
  response: projectDetail,
  errors: ['project_not_found'],
})

/** What somebody fills in to create a project. */
export const newProject = z.object({
  name: projectName,
  teamId: idInput<'Team'>('form_select_team'),
  regionId: z.string('form_select_region').check(z.trim(), z.minLength(1, 'form_select_region')),
  domain: optionalDomain('form_enter_domain_without_scheme'),
})

export const createProject = endpoint('POST /management/project/create', {
  summary: 'Create a project; it becomes ready by itself',
  body: z.extend(newProject, {
    /** Made by the client: a request that is sent again, because its answer got lost, counts once. */
    idempotencyKey: z.optional(z.uuid()),
  }),
  response: project,
  errors: ['team_not_found', 'region_not_found', 'project_limit_reached', 'domain_in_use'],
})

/** What an hour costs that a site runs, and what a calendar month of it costs at most, in US dollars. */
const rate = z.object({ hour: amount(), month: amount() })

export const projectPrice = endpoint('GET /management/project/price', {
  summary: 'What a project costs from now on; the owner of its team pays',
  response: z.object({
    list: rate,
    /** With the discount of whoever asks: for the teams that they own. */
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
  params: id,
  response: project,
  errors: ['project_not_found', 'already_deleted'],
})

export const retryProject = endpoint('POST /management/project/retry/:id', {
  summary: 'Try again to create a project that failed; any other is answered as it is',
  params: id,
  response: project,
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})

export const checkProjectDomain = endpoint('POST /management/project/domain/check/:id', {
  summary: 'Ask DNS now whether the custom domain leads here',
  params: id,
  response: projectDns,
  // The last one: there is no custom domain.
  errors: ['project_not_found', 'cannot_update_deleted_project', 'item_not_found'],
})

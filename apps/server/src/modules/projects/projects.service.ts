import type { UserId } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import type {
  DnsVerdict,
  Project,
  ProjectDetail,
  ProjectDns,
  ProjectId,
  ProjectKey,
} from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import type { TeamId } from '@slipway/contract/teams'
import type { Context, Db, Tx, UserContext } from '../../context.ts'
import { violatedConstraint } from '../../db/conflicts.ts'
import type { Instance } from '../../engines/hosting/engine.ts'
import { invalid, problem } from '../../problem.ts'
import * as domains from '../domains/domains.service.ts'
import * as events from '../events/events.service.ts'
import * as regions from '../regions/regions.service.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.service.ts'
import * as runtimes from '../runtimes/runtimes.service.ts'
import * as teams from '../teams/teams.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import * as usage from '../usage/usage.service.ts'
import * as creation from './creation/creation.service.ts'
import { defaultUrl, instanceOf } from './projects.instance.ts'
import { isKey, newKey } from './projects.key.ts'
import {
  hasLostData,
  isDeleted,
  isReservedDomain,
  powerOf,
  stateAfterChange,
} from './projects.policy.ts'
import * as store from './projects.store.ts'

/** Reconciles one project with its desired state. */
export const reconcileJob = 'projects.reconcile'

const toResponse = (
  ctx: Pick<Context, 'env'>,
  project: store.Project,
  domainVerdict: DnsVerdict | null,
): Project => ({
  id: project.id,
  teamId: project.teamId,
  key: project.key as ProjectKey,
  name: project.name,
  runtime: project.runtime,
  state: project.state,
  failure: project.failure,
  power: powerOf(project),
  suspension: project.suspension,
  domain: project.domain,
  domainVerdict,
  controllerDomain: regions.gatewayHost(ctx, project.regionId),
  defaultUrl: defaultUrl(ctx.env, project.key),
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.updatedAt.toISOString(),
})

/** Presents a project with the stored DNS verdict on its domain. */
export const loadResponse = async (ctx: Pick<Context, 'env'>, db: Db, project: store.Project) =>
  toResponse(ctx, project, await domains.knownVerdict(db, project))

export const deadline = (ctx: Pick<Context, 'clock'>) =>
  new Date(ctx.clock.now().getTime() + limits.projectDeadline)

/** Publishes that the project changed, to its readers, when the transaction commits. */
export const announce = (tx: Tx, id: ProjectId) =>
  events.publish(tx, { kind: 'Project', data: { type: 'Updated', projectId: id } })

/**
 * Records usage, schedules DNS checks, enqueues reconciliation and publishes the event, in `tx`.
 */
export async function scheduleReconcile(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  project: store.Project,
) {
  await usage.recordState(ctx, tx, project)
  await domains.scheduleChecks(ctx, tx, project.id, isDeleted(project) ? null : project.domain)
  await ctx.jobs.send(tx, reconcileJob, { projectId: project.id })
  await announce(tx, project.id)
}

/**
 * The projects of the user's teams that the caller may use, newest first; deleted ones for 24 hours
 * after the deletion.
 */
export async function list(ctx: UserContext): Promise<Project[]> {
  const deletedSince = new Date(ctx.clock.now().getTime() - limits.deletedProjectListed)
  const rows = await store.listForUser(ctx.db, ctx.user.id, deletedSince)
  const usable = ctx.token?.projects?.map(({ id }) => id)
  return rows
    .filter(({ id }) => usable?.includes(id) ?? true)
    .map((project) => toResponse(ctx, project, project.domainVerdict))
}

/**
 * A project with its metadata, the progress of its creation and the DNS of its domain. Throws
 * `project_not_found`.
 */
export async function view(ctx: UserContext, key: string): Promise<ProjectDetail> {
  const project = await store.findByKeyForUser(ctx.db, ctx.user.id, key)
  if (!project) throw problem('project_not_found')
  const region = regions.nameOf(ctx, project.regionId)
  const [progress, dns] = await Promise.all([
    creation.progressOf(ctx, ctx.db, project.id),
    dnsOf(ctx, project),
  ])
  return {
    ...toResponse(ctx, project, dns?.verdict ?? null),
    progress,
    dns,
    metadata: [
      ...project.metadata,
      { key: 'region', value: region ?? project.regionId },
      { key: 'engine', value: ctx.engine.name },
    ],
  }
}

/** The DNS of the project's domain; null without a domain or for a deleted project. */
async function dnsOf(ctx: UserContext, { id, domain, regionId, state }: store.Project) {
  if (domain === null || isDeleted({ state })) return null
  return domains.dnsOf(ctx, ctx.db, { id, domain, regionId })
}

function rejectReservedDomain(ctx: Pick<Context, 'env'>, domain: string | null) {
  if (domain !== null && isReservedDomain(ctx.env, domain))
    throw invalid({ domain: 'form_domain_reserved' })
}

/** Runs a write that stores a domain. Throws `domain_in_use` when another project uses it. */
async function withDomainConflict<Result>(work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) === 'projects_domain') throw problem('domain_in_use')
    throw error
  }
}

async function insertWithNewKey(
  tx: Tx,
  project: Omit<Parameters<typeof store.insert>[1], 'key'>,
  now: Date,
) {
  // A collision has a chance of 1 in 27^6 per project of the same name; seven in a row do not
  // happen.
  for (let tries = 0; tries < 7; tries++) {
    const created = await store.insert(tx, { ...project, key: newKey(project.name) }, now)
    if (created) return created
  }
  throw new Error('no free project key was found')
}

type Form = {
  name: string
  teamId: TeamId
  regionId: string
  domain: string | null
  runtime: Runtime
  idempotencyKey?: string | undefined
}

/**
 * Creates a project in state `pending`. A repeated request with the same idempotency key returns
 * the first one's project, also when both run at once. Throws `team_not_found`, `region_not_found`,
 * `runtime_not_available`, `project_limit_reached`, `domain_in_use`, and `validation_error` for a
 * domain of the service.
 */
export async function create(ctx: UserContext, form: Form): Promise<Project> {
  if (!regions.exists(ctx, form.regionId)) throw problem('region_not_found')
  if (!(await runtimes.isAvailable(ctx, form.runtime)))
    throw problem('runtime_not_available', form.runtime)
  rejectReservedDomain(ctx, form.domain)
  const { idempotencyKey, ...fields } = form
  const findFirst = (db: Db) =>
    idempotencyKey && store.findByIdempotencyKey(db, ctx.user.id, idempotencyKey)
  try {
    return await withDomainConflict(() =>
      ctx.write(async (tx) => {
        // The lock makes the limit exact under concurrent requests. A repeated request waits here,
        // too, and then finds the first one's project.
        const team = await teams.lock(tx, ctx.user.id, form.teamId)
        const first = await findFirst(tx)
        if (first) return loadResponse(ctx, tx, first)
        if ((await store.countUndeleted(tx, team.id)) >= ctx.env.PROJECT_LIMIT)
          throw problem('project_limit_reached')
        const idempotency = idempotencyKey && { userId: ctx.user.id, key: idempotencyKey }
        const project = await insertWithNewKey(
          tx,
          {
            ...fields,
            artifact: (await runtimeVersions.findNewest(tx, fields.runtime))?.artifact ?? null,
            deadlineAt: deadline(ctx),
            idempotency: idempotency || undefined,
          },
          ctx.clock.now(),
        )
        await creation.beginAttempt(ctx, tx, project.id)
        await scheduleReconcile(ctx, tx, project)
        return loadResponse(ctx, tx, project)
      }),
    )
  } catch (error) {
    if (violatedConstraint(error) !== 'projects_idempotency') throw error
    // The key was used for another team, which has another lock, or which the user has left.
    const first = await findFirst(ctx.db)
    if (!first) throw problem('team_not_found')
    return loadResponse(ctx, ctx.db, first)
  }
}

/** A project of the user's teams. Throws `project_not_found`. */
export async function requireForUser(
  ctx: UserContext,
  id: ProjectId,
): Promise<Pick<store.Project, 'key' | 'runtime' | 'artifact'>> {
  const project = await store.findByIdForUser(ctx.db, ctx.user.id, id)
  if (!project) throw problem('project_not_found')
  return project
}

/** False for the key of a deleted project and for one that no project has. */
export async function isKept(ctx: Pick<Context, 'db'>, key: string): Promise<boolean> {
  const project = await store.findByKey(ctx.db, key)
  return project !== undefined && !isDeleted(project)
}

/**
 * Makes an artifact the desired state of a project, also of one whose creation failed. Returns
 * false for a deleted project.
 */
export async function deployArtifact(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  id: ProjectId,
  deployed: { runtime: Runtime; artifact: string },
): Promise<boolean> {
  const project = await store.lock(tx, id)
  if (!project || isDeleted(project)) return false
  const changed = await store.updateDesiredState(tx, id, deployed, ctx.clock.now())
  await scheduleReconcile(ctx, tx, changed)
  return true
}

/**
 * The instance that a project has once it runs this release; null for a deleted project.
 */
export async function instanceWith(
  ctx: Pick<Context, 'clock' | 'db' | 'env' | 'sealing' | 'write'>,
  id: ProjectId,
  release: { runtime: Runtime; artifact: string },
): Promise<Instance | null> {
  const project = await store.findForReconciler(ctx.db, id)
  return project && !isDeleted(project) ? instanceOf(ctx, { ...project, ...release }) : null
}

/** Locks the user's project. Throws `project_not_found`, `cannot_update_deleted_project`. */
export async function lockForChange(ctx: UserContext, tx: Tx, id: ProjectId) {
  const project = await store.lockForUser(tx, ctx.user.id, id)
  if (!project) throw problem('project_not_found')
  if (isDeleted(project)) throw problem('cannot_update_deleted_project')
  return project
}

/** Renames a project. Throws `project_not_found`, `cannot_update_deleted_project`. */
export const rename = (ctx: UserContext, id: ProjectId, name: string): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    const renamed = await store.updateDesiredState(tx, project.id, { name }, ctx.clock.now())
    await scheduleReconcile(ctx, tx, renamed)
    return loadResponse(ctx, tx, renamed)
  })

/**
 * Sets or clears the custom domain; a running project is `modifying` until the gateway routes it.
 * Throws `project_not_found`, `cannot_update_deleted_project`, `domain_in_use`, and
 * `validation_error` for a domain of the service.
 */
export async function changeDomain(
  ctx: UserContext,
  id: ProjectId,
  domain: string | null,
): Promise<Project> {
  rejectReservedDomain(ctx, domain)
  return withDomainConflict(() =>
    ctx.write(async (tx) => {
      const project = await lockForChange(ctx, tx, id)
      if (project.domain === domain) return loadResponse(ctx, tx, project)
      const state = stateAfterChange[project.state]
      const changed = await store.updateDesiredState(
        tx,
        project.id,
        { domain, state, ...(state === 'modifying' ? { deadlineAt: deadline(ctx) } : {}) },
        ctx.clock.now(),
      )
      await scheduleReconcile(ctx, tx, changed)
      return loadResponse(ctx, tx, changed)
    }),
  )
}

/**
 * Checks the DNS of the custom domain now and returns the result. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `item_not_found` without a custom domain, `too_many_requests`.
 */
export async function checkDomain(ctx: UserContext, id: ProjectId): Promise<ProjectDns> {
  const now = ctx.clock.now()
  await ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    if (project.domain === null) throw problem('item_not_found')
    const subject = `domain-check:user:${ctx.user.id}`
    await throttle.take(tx, now, subject, limits.domainChecksPerUser, 'too_many_requests')
    await domains.scheduleChecks(ctx, tx, id, project.domain)
  })
  await domains.checkNow(ctx, id)
  const checked = await store.findByIdForUser(ctx.db, ctx.user.id, id)
  if (!checked) throw problem('project_not_found')
  const dns = await dnsOf(ctx, checked)
  // The domain was cleared during the check.
  if (!dns) throw problem('item_not_found')
  return dns
}

/** Starts the deletion of a project. Throws `project_not_found`, `already_deleted`. */
export const remove = (ctx: UserContext, id: ProjectId): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = await store.lockForUser(tx, ctx.user.id, id)
    if (!project) throw problem('project_not_found')
    if (isDeleted(project)) throw problem('already_deleted')
    const removed = await store.updateDesiredState(
      tx,
      project.id,
      { state: 'deleting', failure: null, deadlineAt: deadline(ctx) },
      ctx.clock.now(),
    )
    await scheduleReconcile(ctx, tx, removed)
    return loadResponse(ctx, tx, removed)
  })

/**
 * Starts another creation attempt of a failed project, with a new deadline; returns any other
 * project unchanged. Throws `project_not_found`, `cannot_update_deleted_project`.
 */
export const retry = (ctx: UserContext, id: ProjectId): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    if (project.state !== 'failed_creating') return loadResponse(ctx, tx, project)
    return loadResponse(ctx, tx, await beginCreation(ctx, tx, project))
  })

/** Starts another creation attempt, with a new deadline. The project must be locked. */
async function beginCreation(ctx: UserContext, tx: Tx, { id }: store.Project) {
  const begun = await store.updateDesiredState(
    tx,
    id,
    { state: 'pending', failure: null, deadlineAt: deadline(ctx) },
    ctx.clock.now(),
  )
  await creation.beginAttempt(ctx, tx, id)
  await scheduleReconcile(ctx, tx, begun)
  return begun
}

/**
 * Creates the site of a project again, empty, after an operator gave up its lost files. Throws
 * `project_not_found`, and `item_not_found` unless the files are missing.
 */
export const startEmpty = (ctx: UserContext, key: string): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = isKey(key) ? await store.lockByKey(tx, key) : undefined
    if (!project) throw problem('project_not_found')
    if (!hasLostData(project)) throw problem('item_not_found')
    const begun = await beginCreation(ctx, tx, project)
    ctx.log.warn({ key, userId: ctx.user.id }, 'an operator has a site start without its lost data')
    return loadResponse(ctx, tx, begun)
  })

/** The users who may read the project now. */
export async function readers(db: Db, id: ProjectId): Promise<readonly UserId[]> {
  const project = await store.findForReconciler(db, id)
  return project ? teams.readers(db, project.teamId) : []
}

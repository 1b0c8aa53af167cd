import { domainToUnicode } from 'node:url'
import type { UserId } from '@slipway/contract/account'
import { shortReference } from '@slipway/contract/container-images'
import type { Project, ProjectDetail, ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import { serviceLimits } from '@slipway/contract/service-limits'
import { siteBackupLimits } from '@slipway/contract/site-backups'
import type { TeamId } from '@slipway/contract/teams'
import type { Context, Db, Tx, UserContext } from '../../context.ts'
import { violatedConstraint } from '../../db/conflicts.ts'
import type { Instance } from '../../engines/hosting/engine.ts'
import { publicPorts } from '../../env/public-ports.ts'
import { problem } from '../../problem.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as placement from '../clusters/placement.service.ts'
import * as domains from '../domains/domains.service.ts'
import * as environment from '../environment/environment.service.ts'
import * as events from '../events/events.service.ts'
import * as regions from '../regions/regions.service.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.service.ts'
import * as runtimes from '../runtimes/runtimes.service.ts'
import * as sitePictures from '../site-pictures/site-pictures.service.ts'
import * as teams from '../teams/teams.service.ts'
import * as usage from '../usage/usage.service.ts'
import * as creation from './creation/creation.service.ts'
import * as moves from './moves/project-moves.service.ts'
import * as pauses from './pauses/pauses.store.ts'
import { scheduleForView } from './pictures/picture-schedule.ts'
import { instanceOf } from './projects.instance.ts'
import { isKey, newKey } from './projects.key.ts'
import {
  hasLostData,
  hasSite,
  isDeleted,
  isNew,
  isPowered,
  powerOf,
  stateAfterChange,
} from './projects.policy.ts'
import * as store from './projects.store.ts'

export const reconcileJob = 'projects.reconcile'

type ReadContext = Pick<Context, 'clock' | 'env'>

/** True if visitors reach the site by https, at its primary domain or else its default URL. */
function isSecure(ctx: ReadContext, { domainState, certifiedUntil }: PrimaryDomain) {
  const isDefaultSecure = new URL(ctx.env.SITES_URL).protocol === 'https:'
  if (domainState !== 'active') return isDefaultSecure
  // A proxy in front of the gateway has the certificates of all domains.
  const isBehindTls = isDefaultSecure && ctx.env.SITES_TLS_PORT === undefined
  return isBehindTls || (certifiedUntil !== null && certifiedUntil > ctx.clock.now())
}

/** The CMS of a site, or else the language of its program, by the engine's metadata. */
function softwareOf({ metadata, runtime }: Pick<store.Project, 'metadata' | 'runtime'>) {
  const software = ['cms_version', 'runtime_version']
    .map((name) => metadata.find(({ key }) => key === name)?.value)
    .find((value) => value !== undefined)
  return (runtime === 'image' ? software && shortReference(software) : software) ?? null
}

type PrimaryDomain = Pick<store.ListedProject, 'domainState' | 'certifiedUntil'>

/** The data of other tables in a response. */
type Related = PrimaryDomain & { picture: sitePictures.PicturePaths | null; isMoving: boolean }

const pictureOf = (project: store.Project, { picture }: Related) =>
  isDeleted(project) || project.suspension !== null ? null : picture

const toResponse = (ctx: ReadContext, project: store.Project, related: Related): Project => ({
  id: project.id,
  teamId: project.teamId,
  key: project.key as ProjectKey,
  name: project.name,
  runtime: project.runtime,
  software: softwareOf(project),
  state: project.state,
  failure: project.failure,
  power: powerOf(project),
  suspension: project.suspension,
  domain: project.domain,
  displayDomain: project.domain && (domainToUnicode(project.domain) || project.domain),
  domainState: related.domainState,
  secure: isSecure(ctx, related),
  hasSite: hasSite(project),
  isMoving: related.isMoving,
  picture: pictureOf(project, related),
  sitePorts: publicPorts(ctx.env),
  controllerDomain: regions.gatewayHost(ctx, project.regionId),
  defaultUrl: regions.siteUrl(ctx.env, project.key),
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.updatedAt.toISOString(),
})

/** Presents a project with the state of its primary domain, its picture, and its move. */
export async function loadResponse(ctx: ReadContext, db: Db, project: store.Project) {
  return toResponse(ctx, project, await loadRelated(ctx, db, project))
}

async function loadRelated(ctx: ReadContext, db: Db, project: store.Project) {
  const [primary, picture, move] = await Promise.all([
    domains.findPrimary(ctx, db, project),
    sitePictures.findPaths(db, project.id),
    moves.present(db, project.id),
  ])
  return { ...primary, picture, move, isMoving: move !== null }
}

export const deadline = (ctx: Pick<Context, 'clock'>) =>
  new Date(ctx.clock.now().getTime() + serviceLimits.projectDeadline)

/** Publishes that the project changed, to its team's members, when the transaction commits. */
export const publishChange = (tx: Tx, id: ProjectId) =>
  events.publish(tx, { kind: 'Project', data: { type: 'Updated', projectId: id } })

/**
 * Records usage, enqueues reconciliation and publishes the event, in `tx`.
 */
export async function scheduleReconcile(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  project: store.Project,
) {
  await usage.recordState(ctx, tx, project)
  await ctx.jobs.send(tx, reconcileJob, { projectId: project.id })
  await publishChange(tx, project.id)
}

/**
 * The projects of the user's teams that the caller may use, newest first; deleted ones for 24 hours
 * after the deletion.
 */
export async function list(ctx: UserContext): Promise<Project[]> {
  const deletedSince = new Date(
    ctx.clock.now().getTime() - serviceLimits.deletedProjectListingLifetime,
  )
  const rows = await store.listForUser(ctx.db, ctx.user.id, deletedSince)
  const usable = ctx.token?.projects?.map(({ id }) => id)
  return rows
    .filter(({ id }) => usable?.includes(id) ?? true)
    .map(({ picture, ...project }) =>
      toResponse(ctx, project, {
        ...project,
        picture: picture === null ? null : sitePictures.pathsOf(picture),
      }),
    )
}

/** Enough lines for the stack trace of an error. */
const shownLines = 20
/** The characters of a line: a stack trace in one line must not fill the page. */
const shownCharacters = 200

/** The last lines that the program of a site printed, without empty ones. */
async function lastOutputOf(ctx: Pick<Context, 'logs'>, { key }: store.Project) {
  const lines = await ctx.logs.page(key, 'site', { limit: shownLines })
  return lines.flatMap(({ text }) => (text?.trim() ? text.slice(0, shownCharacters) : []))
}

/**
 * A project with its metadata and the progress of its creation. Requests a new picture of a site
 * whose picture is older than a day. Throws `project_not_found`.
 */
export async function view(ctx: UserContext, key: string): Promise<ProjectDetail> {
  const project = await store.findByKeyForUser(ctx.db, ctx.user.id, key)
  if (!project) throw problem('project_not_found')
  const region = regions.nameOf(ctx, project.regionId)
  const engine = ctx.engine.nameOf(project.cluster)
  const [progress, isRestoring, related, hasFreshPicture, lastOutput] = await Promise.all([
    creation.progressOf(ctx, ctx.db, project.id),
    pauses.isRestoring(ctx.db, project.id),
    loadRelated(ctx, ctx.db, project),
    sitePictures.isFresh(ctx, project),
    project.crashes > 0 ? lastOutputOf(ctx, project) : [],
  ])
  if (!hasFreshPicture) await scheduleForView(ctx, project)
  return {
    ...toResponse(ctx, project, related),
    progress,
    crashes: project.crashes,
    lastOutput,
    isRestoring,
    move: related.move,
    metadata: [
      ...project.metadata,
      { key: 'region', value: region ?? project.regionId },
      ...(engine === null ? [] : [{ key: 'engine', value: engine }]),
    ],
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

/** What a new project starts with, besides its form. */
type Start = {
  /** The files of its first release. */
  artifact: string | null
  /** Stores more of it in the transaction that creates it. */
  store(tx: Tx, project: store.Project): Promise<void>
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
 * `region_full`, `runtime_not_available`, `project_limit_reached`, `domain_in_use`, and
 * `validation_error` for a domain of the service.
 */
export async function create(ctx: UserContext, form: Form, start?: Start): Promise<Project> {
  if (!regions.exists(ctx, form.regionId)) throw problem('region_not_found')
  const inRegion = placement.namesOf(ctx.env, form.regionId)
  const clusters = await runtimes.clustersFor(ctx, form.runtime, inRegion)
  if (clusters.length === 0) throw problem('runtime_not_available', form.runtime)
  if (form.domain !== null) domains.requireAllowed(ctx, form.domain)
  const { idempotencyKey, ...fields } = form
  const findFirst = (db: Db) =>
    idempotencyKey && store.findByIdempotencyKey(db, ctx.user.id, idempotencyKey)
  try {
    return await ctx.write(async (tx) => {
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
          cluster: await placement.place(ctx, tx, form.regionId, clusters),
          artifact: start
            ? start.artifact
            : ((await runtimeVersions.findNewest(tx, fields.runtime))?.artifact ?? null),
          deadlineAt: deadline(ctx),
          idempotency: idempotency || undefined,
        },
        ctx.clock.now(),
      )
      await recordActivity(ctx, tx, { kind: 'project_created', concerns: { project } })
      await creation.beginAttempt(ctx, tx, project)
      await start?.store(tx, project)
      if (form.domain !== null) {
        await domains.setPrimary(ctx, tx, project, form.domain)
        const concerns = { project }
        await recordActivity(ctx, tx, { kind: 'domain_added', concerns, subject: form.domain })
      }
      await scheduleReconcile(ctx, tx, project)
      return loadResponse(ctx, tx, project)
    })
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
): Promise<Pick<store.Project, 'id' | 'key' | 'regionId' | 'runtime' | 'artifact'>> {
  const project = await store.findByIdForUser(ctx.db, ctx.user.id, id)
  if (!project) throw problem('project_not_found')
  return project
}

/** The project of a site that calls the service, and its default host; null for a deleted one. */
export async function findSite(
  ctx: Pick<Context, 'db' | 'env'>,
  key: string,
): Promise<(Pick<store.Project, 'id' | 'name'> & { host: string }) | null> {
  const project = await store.findByKey(ctx.db, key)
  if (!project || isDeleted(project)) return null
  const { id, name } = project
  return { id, name, host: new URL(regions.siteUrl(ctx.env, key)).hostname }
}

/** True for the host of the console, of a project that is not deleted, and a proven domain. */
export async function isServedHost(
  ctx: Pick<Context, 'db' | 'env'>,
  name: string,
): Promise<boolean> {
  const host = name.toLowerCase()
  if (host === new URL(ctx.env.PUBLIC_URL).hostname) return true
  const [key = '', ...parent] = host.split('.')
  if (parent.join('.') === ctx.env.SITES_DOMAIN) return isKey(key) && existsByKey(ctx, key)
  return domains.isProven(ctx.db, host)
}

/** True if a project has the key and is not deleted. */
export async function existsByKey(ctx: Pick<Context, 'db'>, key: string): Promise<boolean> {
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

/** True for a new project. Another one whose site has no files has lost them. */
export async function mayStartEmpty(ctx: Pick<Context, 'db'>, id: ProjectId): Promise<boolean> {
  const project = await store.findForReconciler(ctx.db, id)
  return project !== undefined && isNew(project)
}

/** The instance that a project wants; null for a deleted project. */
export async function desiredInstance(
  ctx: Pick<Context, 'clock' | 'db' | 'env' | 'sealing' | 'write'>,
  key: string,
): Promise<Instance | null> {
  const project = await store.findByKey(ctx.db, key)
  return project && !isDeleted(project) ? instanceOf(ctx, project) : null
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
    await recordActivity(ctx, tx, {
      kind: 'project_renamed',
      concerns: { project },
      before: project.name,
      after: name,
    })
    await scheduleReconcile(ctx, tx, renamed)
    return loadResponse(ctx, tx, renamed)
  })

/**
 * Applies changed domains to a locked project: a ready one is `modifying` until the gateway routes
 * them.
 */
export async function applyDomainChange(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  project: store.Project,
): Promise<store.Project> {
  const primary = (await domains.list(tx, project.id)).find(({ role }) => role === 'primary')
  const state = stateAfterChange[project.state]
  const changed = await store.updateDesiredState(
    tx,
    project.id,
    {
      domain: primary?.host ?? null,
      state,
      ...(state === 'modifying' ? { deadlineAt: deadline(ctx) } : {}),
    },
    ctx.clock.now(),
  )
  await scheduleReconcile(ctx, tx, changed)
  return changed
}

/**
 * Brings the site of a locked project, which was stopped while its files were replaced, to its
 * desired state. `isFailed`: a new project did not get its files.
 */
export async function resume(
  ctx: Pick<Context, 'clock' | 'engine' | 'jobs'>,
  tx: Tx,
  project: store.Project,
  isFailed: boolean,
): Promise<void> {
  const { id } = project
  if (isFailed) {
    const failed = { state: 'failed_creating', failure: 'engine_failed', deadlineAt: null } as const
    await scheduleReconcile(
      ctx,
      tx,
      await store.updateDesiredState(tx, id, failed, ctx.clock.now()),
    )
    await creation.endAttempt(ctx, tx, id, 'engine_failed')
    return
  }
  const state = isPowered(project) ? stateAfterChange[project.state] : project.state
  const isWaiting = state !== 'ready'
  const change = { state, ...(isWaiting ? { deadlineAt: deadline(ctx) } : {}) }
  await scheduleReconcile(ctx, tx, await store.updateDesiredState(tx, id, change, ctx.clock.now()))
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
    await domains.release(ctx, tx, project, await domains.list(tx, project.id))
    await sitePictures.remove(tx, project.id)
    await environment.removeAll(tx, project.id)
    await recordActivity(ctx, tx, { kind: 'project_deleted', concerns: { project } })
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
async function beginCreation(ctx: UserContext, tx: Tx, project: store.Project) {
  const begun = await store.updateDesiredState(
    tx,
    project.id,
    { state: 'pending', failure: null, deadlineAt: deadline(ctx) },
    ctx.clock.now(),
  )
  const deadlineAt = new Date(ctx.clock.now().getTime() + siteBackupLimits.deadline)
  await pauses.repeatFailedRestore(tx, project.id, { now: ctx.clock.now(), deadlineAt })
  await creation.beginAttempt(ctx, tx, project)
  await scheduleReconcile(ctx, tx, begun)
  return begun
}

/**
 * Recreates the site of a project whose files are lost. Throws `project_not_found`, and
 * `item_not_found` unless the files are missing.
 */
export const recreateProjectEmpty = (ctx: UserContext, key: string): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = isKey(key) ? await store.lockByKey(tx, key) : undefined
    if (!project) throw problem('project_not_found')
    if (!hasLostData(project)) throw problem('item_not_found')
    const begun = await beginCreation(ctx, tx, project)
    ctx.log.warn({ key, userId: ctx.user.id }, 'operator recreated a site without its lost data')
    return loadResponse(ctx, tx, begun)
  })

/** A project of any team. For work that acts for no user. */
export async function findTeam(db: Db, id: ProjectId) {
  const project = await store.findForReconciler(db, id)
  return project && { id, teamId: project.teamId }
}

/** The users who receive events of the project: the members of its team. */
export async function eventRecipients(db: Db, id: ProjectId): Promise<readonly UserId[]> {
  const project = await store.findForReconciler(db, id)
  return project ? teams.memberIds(db, project.teamId) : []
}

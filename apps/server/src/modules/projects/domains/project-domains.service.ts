import { setTimeout as sleep } from 'node:timers/promises'
import type {
  createDomain as createEndpoint,
  DomainId,
  ProjectDomain,
  updateDomain as updateEndpoint,
} from '@slipway/contract/domains'
import type { InputOf } from '@slipway/contract/endpoint'
import type { Project, ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { TeamId } from '@slipway/contract/teams'
import type { Tx, UserContext } from '../../../context.ts'
import { invalid, problem } from '../../../problem.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as domains from '../../domains/domains.service.ts'
import * as throttle from '../../throttle/throttle.service.ts'
import {
  applyDomainChange,
  loadResponse,
  lockForChange,
  publishChange,
  requireForUser,
} from '../projects.service.ts'
import { check } from './project-domains.checks.ts'

type ListedProject = { id: ProjectId; regionId: string }

/** The domains of a project, the primary one first. Throws `project_not_found`. */
export async function list(ctx: UserContext, id: ProjectId): Promise<ProjectDomain[]> {
  return domains.listResponses(ctx, ctx.db, await requireForUser(ctx, id))
}

/**
 * Adds a domain to a project, and on request its counterpart with or without `www.` as a redirect.
 * The first domain becomes the primary one, later ones are aliases by default. Throws
 * `project_not_found`, `cannot_update_deleted_project`, `domain_in_use`, `domain_limit_reached`,
 * and `validation_error` for a reserved name or a redirect without a primary domain as its target.
 */
export async function create(
  ctx: UserContext,
  id: ProjectId,
  { domain: host, role, redirectStatus, withCounterpart }: InputOf<typeof createEndpoint>['body'],
): Promise<ProjectDomain> {
  domains.requireAllowed(ctx, host)
  const counterpart = withCounterpart ? domains.counterpartOf(host) : null
  if (counterpart !== null) domains.requireAllowed(ctx, counterpart)
  return ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    const existing = await domains.list(tx, id)
    const hasPrimary = existing.some((each) => each.role === 'primary')
    const requestedRole = role ?? (hasPrimary ? 'alias' : 'primary')
    if (requestedRole === 'redirect' && !hasPrimary) throw invalid({ role: 'form_invalid' })
    const added = await domains.add(ctx, tx, project, {
      host,
      role: requestedRole === 'primary' ? 'alias' : requestedRole,
      redirectStatus,
    })
    // A project has one primary domain: `setRole` demotes the current one first.
    if (requestedRole === 'primary') await domains.setRole(tx, added, 'primary')
    const concerns = { project }
    await recordActivity(ctx, tx, { kind: 'domain_added', concerns, subject: host })
    if (counterpart !== null && !existing.some((each) => each.host === counterpart)) {
      await domains.add(ctx, tx, project, { host: counterpart, role: 'redirect', redirectStatus })
      await recordActivity(ctx, tx, { kind: 'domain_added', concerns, subject: counterpart })
    }
    await applyDomainChange(ctx, tx, project)
    return responseOf(ctx, tx, project, added.id)
  })
}

async function responseOf(ctx: UserContext, tx: Tx, project: ListedProject, id: DomainId) {
  const response = await domains.findResponse(ctx, tx, project, id)
  if (!response) throw problem('domain_not_found')
  return response
}

async function requireDomain(tx: Tx, projectId: ProjectId, id: DomainId) {
  const domain = await domains.find(tx, { id, projectId })
  if (!domain) throw problem('domain_not_found')
  return domain
}

async function recordPrimary(
  ctx: UserContext,
  tx: Tx,
  project: { id: ProjectId; teamId: TeamId; domain: string | null },
  after: string | null,
) {
  const { domain: before } = project
  if (before === after) return
  await recordActivity(ctx, tx, { kind: 'domain_primary', concerns: { project }, before, after })
}

/** A domain's settings in the activity, such as `redirect 308, hsts`. */
const settingsOf = ({ role, redirectStatus, hsts }: domains.Domain) =>
  (role === 'redirect' ? `${role} ${redirectStatus}` : role) + (hsts ? ', hsts' : '')

/** Records a change of a domain, unless the entry about the primary domain says it already. */
async function recordSettings(
  ctx: UserContext,
  tx: Tx,
  project: { id: ProjectId; teamId: TeamId },
  before: domains.Domain,
) {
  const changed = await requireDomain(tx, project.id, before.id)
  const isPrimary = [before.role, changed.role].includes('primary')
  const after = isPrimary ? { ...changed, role: before.role } : changed
  if (settingsOf(after) === settingsOf(before)) return
  await recordActivity(ctx, tx, {
    kind: 'domain_changed',
    concerns: { project },
    subject: before.host,
    before: settingsOf(before),
    after: settingsOf(changed),
  })
}

/**
 * Changes the role, redirect status and HSTS of a domain. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `domain_not_found`, and `validation_error` if the primary domain
 * becomes a redirect: it would have no target.
 */
export const update = (
  ctx: UserContext,
  id: ProjectId,
  domainId: DomainId,
  { role, redirectStatus, hsts }: InputOf<typeof updateEndpoint>['body'],
): Promise<ProjectDomain> =>
  ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    const domain = await requireDomain(tx, id, domainId)
    if (role === 'redirect') {
      const others = (await domains.list(tx, id)).filter((each) => each.id !== domainId)
      if (!others.some((each) => each.role === 'primary')) throw invalid({ role: 'form_invalid' })
    }
    await domains.update(tx, domainId, {
      redirectStatus: redirectStatus ?? domain.redirectStatus,
      ...(hsts === undefined || hsts === domain.hsts
        ? {}
        : { hsts, hstsEndedAt: hsts ? null : ctx.clock.now() }),
    })
    if (role !== undefined && role !== domain.role) {
      await domains.setRole(tx, domain, role)
      await recordPrimary(ctx, tx, project, (await applyDomainChange(ctx, tx, project)).domain)
    } else await publishChange(tx, id)
    await recordSettings(ctx, tx, project, domain)
    return responseOf(ctx, tx, project, domainId)
  })

/**
 * Removes a domain from the project and the gateways. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `domain_not_found`.
 */
export const remove = (ctx: UserContext, id: ProjectId, domainId: DomainId): Promise<void> =>
  ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    const domain = await requireDomain(tx, id, domainId)
    await domains.release(ctx, tx, project, [domain])
    const concerns = { project }
    await recordActivity(ctx, tx, { kind: 'domain_removed', concerns, subject: domain.host })
    await applyDomainChange(ctx, tx, project)
  })

/**
 * Sets or clears the primary domain, as the inline edit of the console does. Throws
 * `project_not_found`, `cannot_update_deleted_project`, `domain_in_use`, `domain_limit_reached`,
 * and `validation_error` for a name that no project may have.
 */
export async function changePrimary(
  ctx: UserContext,
  id: ProjectId,
  host: string | null,
): Promise<Project> {
  if (host !== null) domains.requireAllowed(ctx, host)
  return ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    if (project.domain === host) return loadResponse(ctx, tx, project)
    await domains.setPrimary(ctx, tx, project, host)
    const changed = await applyDomainChange(ctx, tx, project)
    await recordPrimary(ctx, tx, project, changed.domain)
    return loadResponse(ctx, tx, changed)
  })
}

/** The longest wait of `checkAll` for results, in milliseconds. */
const checkTimeout = 10_000
/** Concurrent checks of one project. They only wait for name servers. */
const concurrency = 8

/**
 * Checks the domains of a project now and responds within ten seconds. Repeats the checks
 * at short intervals for the next minutes. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `too_many_requests`.
 */
export async function checkAll(ctx: UserContext, id: ProjectId): Promise<ProjectDomain[]> {
  const now = ctx.clock.now()
  const project = await ctx.write(async (tx) => {
    const locked = await lockForChange(ctx, tx, id)
    const subject = `domain-check:user:${ctx.user.id}`
    await throttle.consume(tx, now, subject, serviceLimits.domainChecksPerUser, 'too_many_requests')
    await domains.scheduleFrequentChecks(ctx, tx, id)
    return locked
  })
  const waiting = (await domains.list(ctx.db, id)).map((each) => each.id)
  const workers = Array.from({ length: concurrency }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await check(ctx.forJobs(), next)
  })
  const timeout = new AbortController()
  await Promise.race([
    Promise.all(workers),
    sleep(checkTimeout, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]).finally(() => timeout.abort())
  return domains.listResponses(ctx, ctx.db, project)
}

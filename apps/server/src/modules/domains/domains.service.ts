import { randomBytes } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { DomainId, DomainRole, ProjectDomain } from '@slipway/contract/domains'
import { day, hour, limits, minute } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { TeamId } from '@slipway/contract/teams'
import type { Context, Db, Tx } from '../../context.ts'
import { violatedConstraint } from '../../db/conflicts.ts'
import { reachKeyName, reachProof } from '../../gateway/reach.ts'
import { invalid, problem } from '../../problem.ts'
import * as certificates from '../certificates/certificates.service.ts'
import * as regions from '../regions/regions.service.ts'
import * as secrets from '../secrets/secrets.service.ts'
import { type Examination, examine } from './domains.examine.ts'
import { isOperatorDomain, nameProblem, proofName, registeredName } from './domains.names.ts'
import { afterExamination, decideOwnership } from './domains.ownership.ts'
import { providers } from './domains.providers.ts'
import * as store from './domains.store.ts'

export type { Examination } from './domains.examine.ts'
export type { Domain, ServedDomain } from './domains.store.ts'
export { find, findOwned, isProven, list, listDue, listServed, update } from './domains.store.ts'

type Ctx = Pick<Context, 'clock' | 'env' | 'sealing' | 'write'>

/** The check interval of a released name, in milliseconds. */
const releasedInterval = hour
/** How long a released name must lead elsewhere: a record may change all the time. */
const releasedRetention = 7 * day
/** How long no name server of a released name must respond. */
const silentRetention = 90 * day

/** How long the checks of a domain are frequent after a user added or checked it. */
const watchTime = 15 * minute

const watchedUntil = (now: Date) => new Date(now.getTime() + watchTime)

export const checkDomainJobName = 'domains.check'

/** Enqueues a check, at most one of a name at a time. Checks of a team wait for each other. */
export const sendCheck = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { id, teamId }: Pick<store.OwnedDomain, 'id' | 'teamId'>,
) =>
  ctx.jobs.send(
    tx,
    checkDomainJobName,
    { domainId: id },
    { singletonKey: id, group: { id: teamId } },
  )

/** Throws `validation_error` for a name that no project may have. */
export function requireAllowed(ctx: Pick<Context, 'env'>, host: string) {
  const message = nameProblem(ctx.env, host)
  if (message !== null) throw invalid({ domain: message })
}

/**
 * Adds a name to a project, which is locked or new; checks of its DNS start when the transaction
 * commits. It is pending, unless names need no proof on this machine. Throws `domain_in_use` when a
 * project of the same team has the name, or any project where names need no proof; and
 * `domain_limit_reached`.
 */
export async function add(
  ctx: Pick<Context, 'clock' | 'env' | 'jobs'>,
  tx: Tx,
  project: { id: ProjectId; teamId: TeamId },
  { host, role, redirectStatus }: Pick<store.Domain, 'host' | 'role' | 'redirectStatus'>,
): Promise<store.Domain> {
  const rivals = await store.listByHosts(tx, [host])
  if (rivals.some(({ teamId }) => teamId === project.teamId)) throw problem('domain_in_use')
  if ((await store.countOf(tx, project.id)) >= serviceLimits.domainsPerProject)
    throw problem('domain_limit_reached')
  const isTaken = ctx.env.DOMAIN_PROOF === 'none'
  const now = ctx.clock.now()
  try {
    const added = await store.insert(
      tx,
      {
        projectId: project.id,
        host,
        role,
        redirectStatus,
        state: isTaken ? 'active' : 'pending',
        proof: isTaken ? 'none' : null,
        token: `slipway-${randomBytes(16).toString('hex')}`,
        watchedUntil: watchedUntil(now),
      },
      now,
    )
    await sendCheck(ctx, tx, { id: added.id, teamId: project.teamId })
    return added
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('domains_')) throw problem('domain_in_use')
    throw error
  }
}

/**
 * Removes names from a project, and stores the proven ones: while their records still lead here, a
 * shared record does not prove them for another team.
 */
export async function release(
  ctx: Pick<Context, 'clock' | 'env' | 'jobs'>,
  tx: Tx,
  { teamId, regionId }: { teamId: TeamId; regionId: string },
  released: readonly store.Domain[],
) {
  const now = ctx.clock.now()
  await store.remove(
    tx,
    released.map(({ id }) => id),
  )
  for (const domain of released) {
    const { host, state } = domain
    if (state === 'pending') continue
    await store.saveReleased(tx, {
      host,
      teamId,
      regionId,
      releasedAt: now,
      nextCheckAt: now,
      elsewhereSince: null,
      silentSince: null,
      hstsEndedAt: hstsEnd(domain, now),
    })
    await certificates.drop(ctx, tx, host)
  }
}

/** When the responses of a name that its project loses required https for the last time. */
const hstsEnd = ({ hsts, hstsEndedAt }: store.Domain, now: Date) => (hsts ? now : hstsEndedAt)

/** Changes the role of a name. If it becomes the primary one, the former one becomes an alias. */
export async function setRole(tx: Tx, { id, projectId }: store.Domain, role: DomainRole) {
  if (role === 'primary') await store.demotePrimary(tx, projectId)
  await store.update(tx, id, { role })
}

/**
 * Makes a name the primary domain of a project, which is locked or new, in place of the former one;
 * null leaves it without one. A name that the project has already keeps its proof. Throws
 * `domain_in_use` and `domain_limit_reached`.
 */
export async function setPrimary(
  ctx: Pick<Context, 'clock' | 'env' | 'jobs'>,
  tx: Tx,
  project: { id: ProjectId; teamId: TeamId; regionId: string },
  host: string | null,
) {
  const existing = await store.list(tx, project.id)
  const former = existing.find((each) => each.role === 'primary')
  if (former && former.host !== host) await release(ctx, tx, project, [former])
  if (host === null || former?.host === host) return
  const sameHost = existing.find((each) => each.host === host)
  if (sameHost) await setRole(tx, sameHost, 'primary')
  else await add(ctx, tx, project, { host, role: 'primary', redirectStatus: 308 })
}

/** Makes the checks of a project's domains due now, and frequent for 15 minutes. */
export async function scheduleFrequentChecks(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  projectId: ProjectId,
) {
  const now = ctx.clock.now()
  await store.scheduleFrequentChecks(tx, projectId, now, watchedUntil(now))
}

/** Examines a name in DNS; null where names need no proof. Never throws for DNS errors. */
export async function examineName(
  ctx: Ctx & Pick<Context, 'stopping'>,
  { host, key, regionId, token }: Pick<store.OwnedDomain, 'host' | 'key' | 'regionId' | 'token'>,
): Promise<Examination | null> {
  if (ctx.env.DOMAIN_PROOF === 'none') return null
  const reachKey = await secrets.sharedKey(ctx, reachKeyName)
  return examine(
    ctx.env,
    {
      host,
      gatewayHost: regions.gatewayHost(ctx, regionId),
      ownHost: `${key}.${ctx.env.SITES_DOMAIN}`,
      token,
      reach: (name, nonce) => reachProof(reachKey, name, nonce),
      issuers: certificates.caaIssuersOf(ctx.env),
    },
    ctx.stopping,
  )
}

/** The proven name of another project with the same host; undefined without one. */
export async function findHolder(
  ctx: Pick<Context, 'db'>,
  { id, host }: store.OwnedDomain,
): Promise<store.OwnedDomain | undefined> {
  const rivals = await store.listByHosts(ctx.db, [host])
  return rivals.find((each) => each.id !== id && each.state !== 'pending')
}

export type Settled = {
  /** Whether a response about the name changed. */
  isChanged: boolean
  /** The projects whose served names changed: this one, and one that lost the name to it. */
  rerouted: ProjectId[]
  /** Whether it belongs to its project from now on. */
  isProven: boolean
  /** The email to its team. */
  news: 'failed' | 'recovered' | null
}

/**
 * Stores the result of an examination, and decides who owns the name. The projects of the name and
 * of its `holder` are locked, and so is its host. `holderExamination` is null when it was not
 * needed. Undefined when the name was removed meanwhile.
 */
export async function settle(
  ctx: Pick<Context, 'clock' | 'env' | 'jobs'>,
  tx: Tx,
  examined: store.OwnedDomain,
  examination: Examination | null,
  holderExamination: Examination | null,
): Promise<Settled | undefined> {
  const before = await store.findOwned(tx, examined.id)
  if (!before) return undefined
  const now = ctx.clock.now()
  const names = namesUpToZone(before.host)
  const others = (await store.listByHosts(tx, names)).filter(({ id }) => id !== before.id)
  const rivals = others.filter(({ host }) => host === before.host)
  const released = await store.listReleased(tx, names)
  const verdict = decideOwnership(before, {
    examination,
    holderExamination,
    rivals,
    parents: others.filter(({ host, state }) => host !== before.host && state !== 'pending'),
    released,
    isOperatorDomain: isOperatorDomain(ctx.env, before.host),
  })
  const { change, news } = afterExamination(before, verdict, examination, now)
  // Browsers have HSTS stored for the name, also when another team has it.
  let { hstsEndedAt } = before
  const rerouted: ProjectId[] = []
  const isProven = before.state === 'pending' && change.state !== 'pending'
  if (isProven) {
    const holder = rivals.find(({ state }) => state !== 'pending')
    if (holder) {
      await store.update(tx, holder.id, {
        state: 'pending',
        proof: null,
        provenAt: null,
        nextCheckAt: now,
        failureReported: false,
        failureReportedAt: null,
      })
      hstsEndedAt = hstsEnd(holder, now)
      // The certificate moves to the new project once that project requests one.
      await certificates.drop(ctx, tx, before.host)
      rerouted.push(holder.projectId)
    }
    const former = released.find(({ host }) => host === before.host)
    if (former) {
      hstsEndedAt = former.hstsEndedAt
      await store.removeReleased(tx, before.host)
    }
    rerouted.push(before.projectId)
  }
  await store.update(tx, before.id, { ...change, hstsEndedAt })
  if (change.state === 'active' && examination !== null) await requestCertificate(ctx, tx, before)
  const isChanged =
    change.state !== before.state ||
    change.provider !== before.provider ||
    !isDeepStrictEqual(change.steps, before.steps)
  return { isChanged, isProven, rerouted, news }
}

/** Requests the certificate of a name that leads here, unless it has one or waits for one. */
async function requestCertificate(
  ctx: Pick<Context, 'clock' | 'env' | 'jobs'>,
  tx: Tx,
  { host, projectId }: store.Domain,
) {
  const statuses = await certificates.statusByHost(tx, [host], ctx.clock.now())
  if (!statuses.has(host)) await certificates.requestForProject(ctx, tx, { host, projectId })
}

/**
 * Checks whether released names still lead here, all that are due at once: a silent name server
 * takes seconds. Deletes those that have led elsewhere for a week, or were silent for 90 days:
 * their next owner proves them like any other name.
 */
export async function checkReleased(ctx: Ctx & Pick<Context, 'db' | 'stopping'>): Promise<void> {
  const due = await store.listReleasedDue(ctx.db, ctx.clock.now())
  await Promise.all(due.map((released) => checkOneReleased(ctx, released)))
}

async function checkOneReleased(
  ctx: Ctx & Pick<Context, 'stopping'>,
  released: store.ReleasedDomain,
) {
  const { host, regionId } = released
  // No project has this key or token: only the shared record can prove it.
  const subject = { host, regionId, key: 'released', token: randomBytes(16).toString('hex') }
  const examination = await examineName(ctx, subject)
  const now = ctx.clock.now()
  // Null while the name servers do not respond: then nothing is known.
  const leadsHere = examination && (examination.proofs.sharedRecord || examination.leadsHere)
  const timeSince = (time: Date | null) => now.getTime() - (time ?? now).getTime()
  const silentSince = examination && leadsHere === null ? (released.silentSince ?? now) : null
  const since = released.elsewhereSince
  const elsewhereSince = leadsHere ? null : leadsHere === false ? (since ?? now) : since
  const isOver =
    (leadsHere === false && timeSince(since) >= releasedRetention) ||
    timeSince(silentSince) >= silentRetention
  // The interval doubles while no name server responds, up to a day.
  const interval = Math.max(releasedInterval, Math.min(timeSince(silentSince), day))
  const nextCheckAt = new Date(now.getTime() + interval)
  await ctx.write(async (tx) => {
    if (isOver) await store.removeIfUnchanged(tx, released)
    else await store.updateReleased(tx, released, { nextCheckAt, elsewhereSince, silentSince })
  })
}

/** A name and its parents, up to the registered domain. */
function namesUpToZone(host: string): string[] {
  const zone = registeredName(host)
  const names = [host]
  for (let name = host; name !== zone && name.includes('.'); ) {
    name = name.slice(name.indexOf('.') + 1)
    names.push(name)
  }
  return names
}

/** The name with `www.`, or without; null for one that is longer than allowed. */
export function counterpartOf(host: string): string | null {
  const partner = host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`
  return partner.length <= limits.domainMax && partner.includes('.') ? partner : null
}

/** The names of a project in their response, the primary one first. The caller checked access. */
export async function listResponses(
  ctx: Pick<Context, 'clock' | 'env'>,
  db: Db,
  project: { id: ProjectId; regionId: string },
): Promise<ProjectDomain[]> {
  const rows = await store.list(db, project.id)
  const hosts = rows.map(({ host }) => host)
  const statuses = await certificates.statusByHost(db, hosts, ctx.clock.now())
  return rows.map((row) => toResponse(ctx, project, row, statuses.get(row.host)))
}

/** One domain of a project; undefined if it was removed. */
export const findResponse = async (
  ctx: Pick<Context, 'clock' | 'env'>,
  db: Db,
  project: { id: ProjectId; regionId: string },
  id: DomainId,
): Promise<ProjectDomain | undefined> =>
  (await listResponses(ctx, db, project)).find((each) => each.id === id)

/** The state of a project's primary domain and the end of its certificate; null without them. */
export async function findPrimary(
  ctx: Pick<Context, 'clock'>,
  db: Db,
  project: { id: ProjectId; domain: string | null },
) {
  const primary =
    project.domain === null
      ? undefined
      : (await store.list(db, project.id)).find(({ host }) => host === project.domain)
  if (!primary) return { domainState: null, certifiedUntil: null }
  const { host, state } = primary
  const status = (await certificates.statusByHost(db, [host], ctx.clock.now())).get(host)
  return { domainState: state, certifiedUntil: status?.expiresAt ?? null }
}

const time = (date: Date | null) => date?.toISOString() ?? null

function toResponse(
  ctx: Pick<Context, 'clock' | 'env'>,
  { regionId }: { regionId: string },
  domain: store.Domain,
  certificate: certificates.CertificateStatus | undefined,
): ProjectDomain {
  const { id, host, role, redirectStatus, hsts, state, token } = domain
  const provider = providers.find((each) => each.id === domain.provider)
  const isIssuing = ctx.env.ACME_DIRECTORY !== undefined
  const steps = examinedSteps(domain, regions.gatewayHost(ctx, regionId), certificate)
  return {
    id,
    host,
    displayHost: domainToUnicode(host) || host,
    zone: registeredName(host),
    role,
    redirectStatus: role === 'redirect' ? redirectStatus : null,
    hsts,
    state,
    provenAt: time(domain.provenAt),
    proof: { name: proofName(host), value: token },
    certificate:
      certificate && (isIssuing || certificate.state === 'active')
        ? {
            state: certificate.state,
            issuer: certificate.issuer,
            expiresAt: time(certificate.expiresAt),
            renewAt: time(certificate.renewAt),
          }
        : null,
    steps: isIssuing
      ? [...steps, ...certificateSteps(state, certificate, ctx.clock.now())]
      : steps.filter((step) => step.id !== 'caa'),
    provider: provider ? { name: provider.name, url: provider.url } : null,
    nextCheckAt: ctx.env.DOMAIN_PROOF === 'none' ? null : time(domain.nextCheckAt),
    createdAt: domain.createdAt.toISOString(),
  }
}

/** The steps that an examination finds; before the first one they wait. */
const examinedSteps = (
  { host, steps, checkedAt }: store.Domain,
  gatewayHost: string,
  certificate: certificates.CertificateStatus | undefined,
): ProjectDomain['steps'] =>
  (['record', 'reach', 'caa'] as const).map((id) => ({
    // An authority has checked CAA, even if we do not know its name in CAA records.
    state: id === 'caa' && certificate?.state === 'active' ? ('done' as const) : 'waiting',
    problem: null,
    // A registered name cannot have a CNAME; its first check finds the addresses for it.
    expected:
      id === 'record' && host !== registeredName(host)
        ? [{ type: 'CNAME' as const, name: host, value: gatewayHost }]
        : [],
    found: [],
    ...steps.find((step) => step.id === id && step.state !== 'waiting'),
    id,
    detail: null,
    checkedAt: time(checkedAt),
  }))

/** Less than this before its end, a certificate that was not renewed needs attention. */
const renewalLate = 21 * day

/**
 * The steps of issue and renewal. After a failed renewal the issue is still done. A due renewal
 * waits while the records are wrong, because no authority would issue the certificate.
 */
function certificateSteps(
  state: store.Domain['state'],
  certificate: certificates.CertificateStatus | undefined,
  now: Date,
): ProjectDomain['steps'] {
  const common = { expected: [], found: [], checkedAt: time(certificate?.checkedAt ?? null) }
  const waiting = { ...common, state: 'waiting' as const, problem: null, detail: null }
  if (!certificate)
    return [
      { ...waiting, id: 'certificate' },
      { ...waiting, id: 'renewal' },
    ]
  const { problem, detail, expiresAt } = certificate
  const doneStep = { ...common, state: 'done' as const, problem: null, detail: null }
  const failed = problem ? { ...common, state: 'failed' as const, problem, detail } : waiting
  const isValid = expiresAt !== null && expiresAt > now
  if (!isValid)
    return [
      { ...failed, id: 'certificate' },
      { ...waiting, id: 'renewal' },
    ]
  const isLate = expiresAt.getTime() - now.getTime() < renewalLate
  const late = { ...common, state: 'warning' as const, problem: 'renewal_late' as const, detail }
  const warning = { ...failed, state: 'warning' as const }
  const isDue = state !== 'active' || (certificate.renewAt !== null && certificate.renewAt <= now)
  const renewal = problem ? (isLate ? late : warning) : isDue ? waiting : doneStep
  return [
    { ...doneStep, id: 'certificate' },
    { ...renewal, id: 'renewal' },
  ]
}

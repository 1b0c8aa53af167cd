import type { UserId } from '@slipway/contract/account'
import type { ActivityKind, ActivityPage, listActivity } from '@slipway/contract/activity'
import type { InputOf } from '@slipway/contract/endpoint'
import { day } from '@slipway/contract/limits'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import type { Context, Tx, UserContext } from '../../context.ts'
import * as store from './activity.store.ts'

/** The resources that an entry concerns, which decide who may read it. */
export type Concerned =
  | { project: { id: ProjectId; teamId: TeamId } }
  | { teamId: TeamId }
  | { accountId: UserId }

export type Entry = {
  kind: ActivityKind
  concerns: Concerned
  /** The kinds in the contract define these. None of them may be a secret. */
  subject?: string | undefined
  before?: string | null | undefined
  after?: string | null | undefined
  /** The user of the request by default; the service without one. */
  actor?: 'operator' | 'service' | { id: UserId; byToken?: boolean } | undefined
}

/** The context of a request or a job. Only a request has `user` and `token`. */
type RecordingContext = Pick<Context, 'clock' | 'requestId'> &
  Partial<Pick<UserContext, 'user' | 'token'>>

function actorOf({ user, token }: RecordingContext, { actor }: Entry) {
  if (actor === 'service') return { actor, actorId: null }
  if (actor === 'operator') return { actor, actorId: user?.id ?? null }
  if (actor !== undefined)
    return { actor: actor.byToken ? 'token' : 'user', actorId: actor.id } as const
  if (!user) return { actor: 'service', actorId: null } as const
  return { actor: token ? 'token' : 'user', actorId: user.id } as const
}

const scopeOf = (concerned: Concerned) =>
  'project' in concerned
    ? { teamId: concerned.project.teamId, projectId: concerned.project.id }
    : concerned

/** Records what happened, in the transaction of the change. */
export const recordActivity = (ctx: RecordingContext, tx: Tx, entry: Entry): Promise<void> =>
  store.insert(tx, {
    kind: entry.kind,
    ...scopeOf(entry.concerns),
    ...actorOf(ctx, entry),
    subject: entry.subject ?? null,
    before: entry.before ?? null,
    after: entry.after ?? null,
    requestId: ctx.requestId ?? null,
    createdAt: ctx.clock.now(),
  })

/**
 * Records an action that a user repeats during a day, once for each project and day (UTC). Returns
 * false if the day has its entry already.
 */
export async function recordDailyActivity(
  ctx: RecordingContext & Pick<UserContext, 'user'>,
  tx: Tx,
  kind: ActivityKind,
  project: { id: ProjectId; teamId: TeamId },
): Promise<boolean> {
  const today = new Date(ctx.clock.now())
  today.setUTCHours(0, 0, 0, 0)
  const key = { kind, projectId: project.id, actorId: ctx.user.id }
  if (await store.existsForProject(tx, key, today)) return false
  await recordActivity(ctx, tx, { kind, concerns: { project } })
  return true
}

type Query = InputOf<typeof listActivity>['query']

/** Reads one row more than the page has, to know whether there is another page. */
const pageOf = ({ before, limit }: Query): store.Page => ({
  before: before === undefined ? undefined : BigInt(before),
  limit: limit + 1,
})

function toResponse(rows: readonly store.NamedEntry[], { limit }: Query): ActivityPage {
  const shown = rows.slice(0, limit)
  const items = shown.map(({ entry, actorName, projectKey, projectName, teamName }) => {
    const isUser = entry.actor === 'user' || entry.actor === 'token'
    return {
      position: String(entry.position),
      kind: entry.kind,
      // Operators are shown as the support team.
      actor: {
        kind: entry.actor,
        id: isUser ? entry.actorId : null,
        name: isUser ? actorName : null,
      },
      project:
        projectKey === null || projectName === null
          ? null
          : { key: projectKey as ProjectKey, name: projectName },
      team:
        entry.teamId === null || teamName === null ? null : { id: entry.teamId, name: teamName },
      subject: entry.subject,
      before: entry.before,
      after: entry.after,
      // One request of an operator may concern many customers.
      requestId: isUser ? entry.requestId : null,
      createdAt: entry.createdAt.toISOString(),
    }
  })
  return { items, before: rows.length > limit ? (items.at(-1)?.position ?? null) : null }
}

/** The activity of the user's teams and account, newest first. */
export const list = async (ctx: UserContext, query: Query): Promise<ActivityPage> =>
  toResponse(await store.listForUser(ctx.db, ctx.user.id, pageOf(query)), query)

/** The activity of a project, newest first; none for a project of another team. */
export const listForProject = async (
  ctx: UserContext,
  id: ProjectId,
  query: Query,
): Promise<ActivityPage> =>
  toResponse(await store.listForProject(ctx.db, ctx.user.id, id, pageOf(query)), query)

/** The activity of a team and its projects, newest first; none for a team of other users. */
export const listForTeam = async (
  ctx: UserContext,
  id: TeamId,
  query: Query,
): Promise<ActivityPage> =>
  toResponse(await store.listForTeam(ctx.db, ctx.user.id, id, pageOf(query)), query)

/** Entries that one statement removes: enough for a night, too few to lock the table for long. */
const batchSize = 10_000

/** Removes the entries that are older than `ACTIVITY_KEEP_DAYS`; with 0 none. */
export async function removeOld(
  ctx: Pick<Context, 'clock' | 'db' | 'env' | 'stopping'>,
): Promise<void> {
  if (ctx.env.ACTIVITY_KEEP_DAYS === 0) return
  const time = new Date(ctx.clock.now().getTime() - ctx.env.ACTIVITY_KEEP_DAYS * day)
  for (;;) {
    const removed = await store.removeBefore(ctx.db, time, batchSize)
    if (removed < batchSize || ctx.stopping.aborted) return
  }
}

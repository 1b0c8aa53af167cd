import type { UserId } from '@slipway/contract/account'
import type { ActivityPage, listTeamActivity } from '@slipway/contract/activity'
import type { InputOf } from '@slipway/contract/endpoint'
import type { Team, TeamDetail, TeamId } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import type { Db, RequestContext, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as activity from '../activity/activity.service.ts'
import * as events from '../events/events.service.ts'
import * as invitations from './teams.invitations.store.ts'
import { mayLeave, mayRemoveMembers, mayRename } from './teams.policy.ts'
import * as store from './teams.store.ts'

const toResponse = ({ id, name, userId }: store.Team): Team => ({ id, name, userId })

/** The teams that the user owns or joined, oldest first. */
export const list = async (ctx: UserContext): Promise<Team[]> =>
  (await store.listForUser(ctx.db, ctx.user.id)).map(toResponse)

/** A team with its members and invitations. Throws `team_not_found`. */
export async function view(ctx: UserContext, id: TeamId): Promise<TeamDetail> {
  const team = await store.findForUser(ctx.db, ctx.user.id, id)
  const owner = team && (await store.findUser(ctx.db, team.userId))
  if (!team || !owner) throw problem('team_not_found')
  const [users, invited] = await Promise.all([
    store.listJoined(ctx.db, team),
    invitations.listForTeam(ctx.db, team.id),
  ])
  return {
    ...toResponse(team),
    owner,
    users: users.map((user) => ({ ...user, createdAt: user.createdAt.toISOString() })),
    invited: invited.map(({ email, createdAt }) => ({ email, createdAt: createdAt.toISOString() })),
  }
}

/** Checks that the user may see a team. Throws `team_not_found`. */
export async function requireForUser(ctx: UserContext, id: TeamId): Promise<void> {
  if (!(await store.findForUser(ctx.db, ctx.user.id, id))) throw problem('team_not_found')
}

/** The activity of a team and its projects, newest first. Throws `team_not_found`. */
export async function listActivity(
  ctx: UserContext,
  id: TeamId,
  query: InputOf<typeof listTeamActivity>['query'],
): Promise<ActivityPage> {
  await requireForUser(ctx, id)
  return activity.listForTeam(ctx, id, query)
}

/** Locks the user's team until the transaction ends; returns it. Throws `team_not_found`. */
export async function lock(tx: Tx, userId: UserId, id: TeamId) {
  const team = await store.lockForUser(tx, userId, id)
  if (!team) throw problem('team_not_found')
  return team
}

/** Publishes a change of the team to its members. */
export const publishChange = (tx: Tx, teamId: TeamId) =>
  events.publish(tx, { kind: 'Team', data: { type: 'Updated', teamId } })

/** Publishes a change of a user, their memberships or their invitations to that user. */
export const publishChangeToUser = (tx: Tx, userId: UserId) =>
  events.publish(tx, { kind: 'User', data: { type: 'Updated', userId } })

/** Publishes a change of the team to invited users, who do not receive its events. */
async function publishChangeToInvitees(tx: Tx, teamId: TeamId) {
  for (const invitee of await invitations.inviteeIds(tx, teamId))
    await publishChangeToUser(tx, invitee)
}

/** Renames a team; returns it. Throws `team_not_found`, `forbidden`. */
export const rename = (ctx: UserContext, id: TeamId, name: string): Promise<Team> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, id)
    if (!mayRename(ctx.user, team)) throw problem('forbidden')
    const renamed = await store.setName(tx, team.id, name, ctx.clock.now())
    await activity.recordActivity(ctx, tx, {
      kind: 'team_renamed',
      concerns: { teamId: team.id },
      before: team.name,
      after: name,
    })
    await publishChange(tx, team.id)
    await publishChangeToInvitees(tx, team.id)
    return toResponse(renamed)
  })

/** Bounds the cost of a rename; users are in fewer teams. */
const maxPublishedTeams = 100

/** Publishes a user's new name to their teams, and to users they have invited: both show it. */
export async function publishRename(tx: Tx, userId: UserId) {
  for (const team of await store.listForUser(tx, userId, maxPublishedTeams)) {
    await publishChange(tx, team.id)
    if (team.userId === userId) await publishChangeToInvitees(tx, team.id)
  }
}

/** Ends a membership, in the caller's transaction; false when the user is not a member. */
async function removeMember(tx: Tx, team: store.Team, userId: UserId) {
  if (!(await store.removeMember(tx, team.id, userId))) return false
  await publishChange(tx, team.id)
  // The user no longer receives the team's events.
  await publishChangeToUser(tx, userId)
  return true
}

/**
 * Removes a member from a team. Throws `team_not_found`, `forbidden`, `owner_cannot_leave`, and
 * `item_not_found` for a user who is not a member.
 */
export const remove = (ctx: UserContext, id: TeamId, userId: UserId): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, id)
    if (!mayRemoveMembers(ctx.user, team)) throw problem('forbidden')
    if (!mayLeave({ id: userId }, team)) throw problem('owner_cannot_leave')
    const member = await store.findUser(tx, userId)
    if (!(await removeMember(tx, team, userId))) throw problem('item_not_found')
    const concerns = { teamId: team.id }
    await activity.recordActivity(ctx, tx, {
      kind: 'member_removed',
      concerns,
      subject: member?.name,
    })
  })

/** Ends the caller's membership of a team. Throws `team_not_found`, `owner_cannot_leave`. */
export const leave = (ctx: UserContext, id: TeamId): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, id)
    if (!mayLeave(ctx.user, team)) throw problem('owner_cannot_leave')
    if (!(await removeMember(tx, team, ctx.user.id))) throw problem('team_not_found')
    await activity.recordActivity(ctx, tx, { kind: 'member_left', concerns: { teamId: team.id } })
  })

/** Creates a new user's own team, in the caller's transaction; every user has one. */
export async function createOwn(
  ctx: Pick<RequestContext, 'clock' | 'locale'>,
  tx: Tx,
  user: { id: UserId; name: string },
) {
  const name = m.teams_own_name({ name: user.name }, { locale: ctx.locale })
  const teamId = await store.insert(tx, name, user.id, ctx.clock.now())
  await activity.recordActivity(ctx, tx, {
    kind: 'team_created',
    concerns: { teamId },
    actor: user,
  })
}

/** Deletes the user's own, empty team, in the caller's transaction. */
export const deleteOwnedTeams = (tx: Tx, userId: UserId): Promise<void> =>
  store.deleteOwnedTeams(tx, userId)

/** The users who may see the team and its projects now. */
export const memberIds = (db: Db, id: TeamId) => store.memberIds(db, id)

/** The owner's id and name, of a team that exists. */
export async function findOwner(db: Db, id: TeamId): Promise<{ id: UserId; name: string }> {
  const owner = await store.findOwner(db, id)
  if (!owner) throw new Error(`team ${id} has no owner`)
  return owner
}

/** The members of any team, the owner included, for an email to each. */
export const listMembers = (db: Db, id: TeamId) => store.listMembers(db, id)

import type { UserId } from '@slipway/contract/account'
import type { Team, TeamDetail, TeamId } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import type { Db, RequestContext, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as events from '../events/events.service.ts'
import * as invitations from './teams.invitations.store.ts'
import { mayLeave, mayRemoveMembers, mayRename } from './teams.policy.ts'
import * as store from './teams.store.ts'

const present = ({ id, name, userId }: store.Team): Team => ({ id, name, userId })

/** The teams that the user owns or joined, oldest first. */
export const all = async (ctx: UserContext): Promise<Team[]> =>
  (await store.listForUser(ctx.db, ctx.user.id)).map(present)

/** A team with its people. Throws `team_not_found`, also for a team the user is not in. */
export async function view(ctx: UserContext, id: TeamId): Promise<TeamDetail> {
  const team = await store.findForUser(ctx.db, ctx.user.id, id)
  const owner = team && (await store.findOwner(ctx.db, team.userId))
  if (!team || !owner) throw problem('team_not_found')
  const [users, invited] = await Promise.all([
    store.listJoined(ctx.db, team),
    invitations.listForTeam(ctx.db, team.id),
  ])
  return {
    ...present(team),
    owner,
    users: users.map((user) => ({ ...user, createdAt: user.createdAt.toISOString() })),
    invited: invited.map(({ email, createdAt }) => ({ email, createdAt: createdAt.toISOString() })),
  }
}

/**
 * The user's team, locked until the transaction ends, so that what it owns is counted one by one.
 * Throws `team_not_found`.
 */
export async function lock(tx: Tx, userId: UserId, id: TeamId) {
  const team = await store.lockForUser(tx, userId, id)
  if (!team) throw problem('team_not_found')
  return team
}

/** Tells those in the team that it changed, when the transaction commits. */
export const announce = (tx: Tx, teamId: TeamId) =>
  events.publish(tx, { kind: 'Team', data: { type: 'Updated', teamId } })

/** Tells one user that they, or what they belong to or are invited to, changed, when the transaction commits. */
export const announceTo = (tx: Tx, userId: UserId) =>
  events.publish(tx, { kind: 'User', data: { type: 'Updated', userId } })

/** Tells those who do not hear of the team yet that what their invitation to it says changed. */
async function announceToInvitees(tx: Tx, teamId: TeamId) {
  for (const invitee of await invitations.inviteeIds(tx, teamId)) await announceTo(tx, invitee)
}

/** Renames a team; gives it as renamed. Throws `team_not_found`, `forbidden`. */
export const rename = (ctx: UserContext, id: TeamId, name: string): Promise<Team> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, id)
    if (!mayRename(ctx.user, team)) throw problem('forbidden')
    const renamed = await store.setName(tx, team.id, name, ctx.clock.now())
    await announce(tx, team.id)
    await announceToInvitees(tx, team.id)
    return present(renamed)
  })

/** More teams than anybody is in; whoever is in more still costs a rename no more than this. */
const announcedTeams = 100

/**
 * Tells the teams of somebody whose name changed, when the transaction commits: they show it. So do the
 * invitations to those they own.
 */
export async function announceRenamed(tx: Tx, userId: UserId) {
  for (const team of await store.listForUser(tx, userId, announcedTeams)) {
    await announce(tx, team.id)
    if (team.userId === userId) await announceToInvitees(tx, team.id)
  }
}

/** Takes somebody out of a team, in the caller's transaction; false when they are not in it. */
async function takeOut(tx: Tx, team: store.Team, userId: UserId) {
  const wasIn = await store.removeMember(tx, team.id, userId)
  if (!wasIn) return false
  await announce(tx, team.id)
  // Who is not in the team any more does not hear of it: this is what tells them.
  await announceTo(tx, userId)
  return true
}

/**
 * Removes somebody from a team. Throws `team_not_found`, `forbidden`, `owner_cannot_leave`, and
 * `item_not_found` for somebody who is not in the team.
 */
export const remove = (ctx: UserContext, id: TeamId, userId: UserId): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, id)
    if (!mayRemoveMembers(ctx.user, team)) throw problem('forbidden')
    if (!mayLeave({ id: userId }, team)) throw problem('owner_cannot_leave')
    if (!(await takeOut(tx, team, userId))) throw problem('item_not_found')
  })

/** Takes the user out of a team they joined. Throws `team_not_found`, `owner_cannot_leave`. */
export const leave = (ctx: UserContext, id: TeamId): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, id)
    if (!mayLeave(ctx.user, team)) throw problem('owner_cannot_leave')
    if (!(await takeOut(tx, team, ctx.user.id))) throw problem('team_not_found')
  })

/** The team everyone gets at sign-up, in the caller's transaction: nobody is without one. */
export const createOwn = (
  ctx: Pick<RequestContext, 'clock' | 'locale'>,
  tx: Tx,
  user: { id: UserId; name: string },
) =>
  store.insert(
    tx,
    m.teams_own_name({ name: user.name }, { locale: ctx.locale }),
    user.id,
    ctx.clock.now(),
  )

/** Removes the user's own team, which has no other members and no projects, in the caller's transaction. */
export const removeOwn = (tx: Tx, userId: UserId): Promise<void> => store.removeOwn(tx, userId)

/** Who may see the team and what it owns at this moment. */
export const readers = (db: Db, id: TeamId) => store.memberIds(db, id)

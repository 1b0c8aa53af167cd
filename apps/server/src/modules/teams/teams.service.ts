import type { UserId } from '@slipway/contract/account'
import type { Team, TeamDetail, TeamId } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import type { Db, RequestContext, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
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
    store.listInvited(ctx.db, team.id),
  ])
  return {
    ...present(team),
    owner,
    users: users.map((user) => ({ ...user, createdAt: user.createdAt.toISOString() })),
    invited: invited.map(({ email, createdAt }) => ({ email, createdAt: createdAt.toISOString() })),
  }
}

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

/**
 * The user's team, locked until the transaction ends, so that what it owns is counted one by one.
 * Throws `team_not_found`.
 */
export async function lock(tx: Tx, userId: UserId, id: TeamId) {
  const team = await store.lockForUser(tx, userId, id)
  if (!team) throw problem('team_not_found')
  return team
}

/** Who may see the team and what it owns at this moment. */
export const readers = (db: Db, id: TeamId) => store.memberIds(db, id)

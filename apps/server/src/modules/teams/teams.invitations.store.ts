import type { UserId } from '@slipway/contract/account'
import type { TeamId } from '@slipway/contract/teams'
import { and, asc, count, eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'
import { teamInvitations, teams } from './teams.schema.ts'
import type { Team } from './teams.store.ts'

// All addresses are in lower case.

/** The user of an address, with the columns that an invitation needs. */
export async function findByEmail(db: Db, email: string) {
  const [user] = await db
    .select({ id: users.id, name: users.name, locale: users.locale, verifiedAt: users.verifiedAt })
    .from(users)
    .where(eq(users.email, email))
  return user
}

/** False when the address is already invited. */
export async function insert(tx: Tx, teamId: TeamId, email: string, now: Date) {
  const invited = await tx
    .insert(teamInvitations)
    .values({ teamId, email, createdAt: now })
    .onConflictDoNothing()
    .returning({ email: teamInvitations.email })
  return invited.length === 1
}

/** False when the address is not invited. */
export async function remove(tx: Tx, teamId: TeamId, email: string) {
  const removed = await tx
    .delete(teamInvitations)
    .where(and(eq(teamInvitations.teamId, teamId), eq(teamInvitations.email, email)))
    .returning({ email: teamInvitations.email })
  return removed.length === 1
}

export async function countPending(tx: Tx, id: TeamId) {
  const [row] = await tx
    .select({ count: count() })
    .from(teamInvitations)
    .where(eq(teamInvitations.teamId, id))
  return row?.count ?? 0
}

export const listForEmail = (db: Db, email: string) =>
  db
    .select({
      teamId: teams.id,
      teamName: teams.name,
      ownerName: users.name,
      email: teamInvitations.email,
      createdAt: teamInvitations.createdAt,
    })
    .from(teamInvitations)
    .innerJoin(teams, eq(teams.id, teamInvitations.teamId))
    .innerJoin(users, eq(users.id, teams.userId))
    .where(eq(teamInvitations.email, email))
    .orderBy(asc(teamInvitations.createdAt), asc(teams.id))
    .limit(1000)

export const listForTeam = (db: Db, id: TeamId) =>
  db
    .select({ email: teamInvitations.email, createdAt: teamInvitations.createdAt })
    .from(teamInvitations)
    .where(eq(teamInvitations.teamId, id))
    .orderBy(asc(teamInvitations.createdAt), asc(teamInvitations.email))
    .limit(1000)

/** The invited users who have an account. */
export async function inviteeIds(db: Db, id: TeamId): Promise<UserId[]> {
  const rows = await db
    .select({ userId: users.id })
    .from(teamInvitations)
    .innerJoin(users, eq(users.email, teamInvitations.email))
    .where(eq(teamInvitations.teamId, id))
    .orderBy(asc(teamInvitations.createdAt), asc(users.id))
    .limit(1000)
  return rows.map(({ userId }) => userId)
}

/** Locks the team if it has invited this address; undefined if it has not. */
export async function lockTeamForEmail(
  tx: Tx,
  email: string,
  id: TeamId,
): Promise<Team | undefined> {
  const [team] = await tx
    .select(getTableColumns(teams))
    .from(teams)
    .innerJoin(
      teamInvitations,
      and(eq(teamInvitations.teamId, teams.id), eq(teamInvitations.email, email)),
    )
    .where(eq(teams.id, id))
    .for('update', { of: teams })
  return team
}

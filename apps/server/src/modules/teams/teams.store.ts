import type { UserId } from '@slipway/contract/account'
import type { TeamId } from '@slipway/contract/teams'
import { and, asc, eq, getTableColumns, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { teamMembers, teams } from './teams.schema.ts'

export type Team = typeof teams.$inferSelect

const selectForUser = (db: Db, userId: UserId) =>
  db
    .select(getTableColumns(teams))
    .from(teams)
    .innerJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, userId)))
    .$dynamic()

export const listForUser = (db: Db, userId: UserId, limit = 1000): Promise<Team[]> =>
  selectForUser(db, userId).orderBy(asc(teams.createdAt), asc(teams.id)).limit(limit)

export async function findForUser(db: Db, userId: UserId, id: TeamId): Promise<Team | undefined> {
  const [team] = await selectForUser(db, userId).where(eq(teams.id, id))
  return team
}

/** Locks the team until the transaction ends, so concurrent requests cannot exceed its limits. */
export async function lockForUser(tx: Tx, userId: UserId, id: TeamId): Promise<Team | undefined> {
  const [team] = await selectForUser(tx, userId)
    .where(eq(teams.id, id))
    .for('update', { of: teams })
  // The membership may have ended while this statement waited for the lock.
  return team && findForUser(tx, userId, id)
}

export async function findUser(db: Db, id: UserId) {
  const [user] = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(eq(users.id, id))
  return user
}

export async function findOwner(db: Db, id: TeamId) {
  const [owner] = await db
    .select({ id: users.id, name: users.name })
    .from(teams)
    .innerJoin(users, eq(users.id, teams.userId))
    .where(eq(teams.id, id))
  return owner
}

/** The members without the owner. */
export const listJoined = (db: Db, team: Pick<Team, 'id' | 'userId'>) =>
  db
    .select({
      id: users.id,
      name: users.name,
      username: users.username,
      createdAt: teamMembers.createdAt,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, team.id), ne(teamMembers.userId, team.userId)))
    .orderBy(asc(teamMembers.createdAt), asc(users.id))
    .limit(1000)

export async function memberIds(db: Db, id: TeamId) {
  const rows = await db
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, id))
  return rows.map((row) => row.userId)
}

export const listMembers = (db: Db, id: TeamId) =>
  db
    .select({ id: users.id, name: users.name, email: users.email, locale: users.locale })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(eq(teamMembers.teamId, id))
    .orderBy(asc(teamMembers.createdAt), asc(users.id))
    .limit(1000)

export async function insert(tx: Tx, name: string, owner: UserId, now: Date) {
  const id = newId<'Team'>()
  await tx.insert(teams).values({ id, name, userId: owner, createdAt: now, updatedAt: now })
  await tx.insert(teamMembers).values({ teamId: id, userId: owner, createdAt: now })
  return id
}

export async function deleteOwnedTeams(tx: Tx, userId: UserId) {
  await tx.delete(teams).where(eq(teams.userId, userId))
}

export async function setName(tx: Tx, id: TeamId, name: string, now: Date): Promise<Team> {
  const [team] = await tx
    .update(teams)
    .set({ name, updatedAt: now })
    .where(eq(teams.id, id))
    .returning()
  if (!team) throw new Error('the renamed team was not found')
  return team
}

export async function insertMember(tx: Tx, teamId: TeamId, userId: UserId, now: Date) {
  await tx.insert(teamMembers).values({ teamId, userId, createdAt: now })
}

/** False when the user is not a member. */
export async function removeMember(tx: Tx, teamId: TeamId, userId: UserId) {
  const removed = await tx
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)))
    .returning({ userId: teamMembers.userId })
  return removed.length === 1
}

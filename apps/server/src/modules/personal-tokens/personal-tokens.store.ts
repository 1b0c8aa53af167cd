import type { UserId } from '@slipway/contract/account'
import type { PersonalTokenId } from '@slipway/contract/personal-tokens'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import { and, asc, desc, eq, exists, gt, inArray, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { personalTokenProjects, personalTokens } from './personal-tokens.schema.ts'

export type PersonalToken = typeof personalTokens.$inferSelect

export type TokenProject = { id: ProjectId; key: ProjectKey; name: string }

/** True for a token with access to a project: a limited token may have lost all of its own. */
const hasProjects = (db: Db) =>
  or(
    personalTokens.allProjects,
    exists(
      db
        .select({ one: sql`1` })
        .from(personalTokenProjects)
        .where(eq(personalTokenProjects.tokenId, personalTokens.id)),
    ),
  )

export async function findByHash(db: Db, tokenHash: Buffer, now: Date) {
  const [row] = await db
    .select({
      token: personalTokens,
      user: { id: users.id, email: users.email, name: users.name, verifiedAt: users.verifiedAt },
    })
    .from(personalTokens)
    .innerJoin(users, eq(users.id, personalTokens.userId))
    .where(
      and(
        eq(personalTokens.tokenHash, tokenHash),
        gt(personalTokens.expiresAt, now),
        hasProjects(db),
      ),
    )
  return row
}

export async function findForUser(db: Db, userId: UserId, id: PersonalTokenId) {
  const [token] = await db
    .select()
    .from(personalTokens)
    .where(and(eq(personalTokens.userId, userId), eq(personalTokens.id, id)))
  return token
}

/** The usable tokens of a user, the newest first. */
export const listForUser = (db: Db, userId: UserId, now: Date, limit: number) =>
  db
    .select()
    .from(personalTokens)
    .where(
      and(eq(personalTokens.userId, userId), gt(personalTokens.expiresAt, now), hasProjects(db)),
    )
    .orderBy(desc(personalTokens.createdAt), desc(personalTokens.id))
    .limit(limit)

export const countForUser = (tx: Tx, userId: UserId, now: Date) =>
  tx.$count(
    personalTokens,
    and(eq(personalTokens.userId, userId), gt(personalTokens.expiresAt, now), hasProjects(tx)),
  )

/** The projects of limited tokens, by name. */
export const listProjects = (db: Db, ids: readonly PersonalTokenId[]) =>
  db
    .select({
      tokenId: personalTokenProjects.tokenId,
      id: projects.id,
      key: sql<ProjectKey>`${projects.key}`,
      name: projects.name,
    })
    .from(personalTokenProjects)
    .innerJoin(projects, eq(projects.id, personalTokenProjects.projectId))
    .where(inArray(personalTokenProjects.tokenId, [...ids]))
    .orderBy(projects.name, projects.id)

/** Which of these projects the user has, each with the membership that gives access. */
export const listOwnProjects = (tx: Tx, userId: UserId, ids: readonly ProjectId[]) =>
  tx
    .select({ projectId: projects.id, teamId: projects.teamId, name: projects.name })
    .from(projects)
    .innerJoin(
      teamMembers,
      and(eq(teamMembers.teamId, projects.teamId), eq(teamMembers.userId, userId)),
    )
    .where(inArray(projects.id, [...ids]))
    .orderBy(asc(projects.name), asc(projects.id))
    // Locks the membership until the token's row exists: deleting the membership then deletes
    // that row.
    .for('key share', { of: teamMembers })

/** Stores a token; `limitedTo` is null for one that may use all projects. */
export async function insert(
  tx: Tx,
  token: Omit<typeof personalTokens.$inferInsert, 'id' | 'allProjects'>,
  limitedTo: Awaited<ReturnType<typeof listOwnProjects>> | null,
): Promise<PersonalToken> {
  const [stored] = await tx
    .insert(personalTokens)
    .values({ id: newId<'PersonalToken'>(), ...token, allProjects: limitedTo === null })
    .returning()
  if (!stored) throw new Error('the token was not stored')
  if (limitedTo)
    await tx.insert(personalTokenProjects).values(
      limitedTo.map(({ projectId, teamId }) => ({
        projectId,
        teamId,
        tokenId: stored.id,
        userId: token.userId,
      })),
    )
  return stored
}

export async function touch(
  db: Db,
  id: PersonalTokenId,
  use: { lastUsedAt: Date; lastUsedAddress: string; lastUsedClient: string | null },
) {
  await db.update(personalTokens).set(use).where(eq(personalTokens.id, id))
}

/** False if the token is not the user's. */
export async function remove(tx: Tx, userId: UserId, id: PersonalTokenId) {
  const removed = await tx
    .delete(personalTokens)
    .where(and(eq(personalTokens.userId, userId), eq(personalTokens.id, id)))
    .returning({ id: personalTokens.id })
  return removed.length === 1
}

export async function removeOfUser(tx: Tx, userId: UserId): Promise<PersonalTokenId[]> {
  const removed = await tx
    .delete(personalTokens)
    .where(eq(personalTokens.userId, userId))
    .returning({ id: personalTokens.id })
  return removed.map(({ id }) => id)
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(personalTokens).where(lte(personalTokens.expiresAt, now))
}

export async function removeProject(tx: Tx, projectId: ProjectId) {
  await tx.delete(personalTokenProjects).where(eq(personalTokenProjects.projectId, projectId))
}

import type { UserId } from '@slipway/contract/account'
import type { ActivityKind } from '@slipway/contract/activity'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teamMembers, teams } from '../teams/teams.schema.ts'
import { activity } from './activity.schema.ts'

export async function insert(tx: Tx, entry: typeof activity.$inferInsert) {
  await tx.insert(activity).values(entry)
}

export const existsForProject = async (
  tx: Tx,
  { kind, projectId, actorId }: { kind: ActivityKind; projectId: ProjectId; actorId: UserId },
  time: Date,
) =>
  (await tx.$count(
    activity,
    and(
      eq(activity.actorId, actorId),
      eq(activity.projectId, projectId),
      eq(activity.kind, kind),
      gte(activity.createdAt, time),
    ),
  )) > 0

export type Page = { before: bigint | undefined; limit: number }

const isBefore = ({ before }: Page) =>
  before === undefined ? undefined : lt(activity.position, before)

/** Entries with the names that they show. */
const named = (db: Db) =>
  db
    .select({
      entry: activity,
      actorName: users.name,
      projectKey: projects.key,
      projectName: projects.name,
      teamName: teams.name,
    })
    .from(activity)
    .leftJoin(users, eq(users.id, activity.actorId))
    .leftJoin(projects, eq(projects.id, activity.projectId))
    .leftJoin(teams, eq(teams.id, activity.teamId))
    .$dynamic()

export type NamedEntry = Awaited<ReturnType<typeof listForProject>>[number]

/** The tenant scope: teams of the user. */
const inTeamOf = (userId: UserId) =>
  and(eq(teamMembers.teamId, activity.teamId), eq(teamMembers.userId, userId))

export const listForProject = (db: Db, userId: UserId, projectId: ProjectId, page: Page) =>
  named(db)
    .innerJoin(teamMembers, inTeamOf(userId))
    .where(and(eq(activity.projectId, projectId), isBefore(page)))
    .orderBy(desc(activity.position))
    .limit(page.limit)

export const listForTeam = (db: Db, userId: UserId, teamId: TeamId, page: Page) =>
  named(db)
    .innerJoin(teamMembers, inTeamOf(userId))
    .where(and(eq(activity.teamId, teamId), isBefore(page)))
    .orderBy(desc(activity.position))
    .limit(page.limit)

export async function listForUser(db: Db, userId: UserId, page: Page) {
  // The newest of each team, by its index: one join would read and sort all entries.
  const newest = db
    .select({ position: activity.position })
    .from(activity)
    .where(and(eq(activity.teamId, teamMembers.teamId), isBefore(page)))
    .orderBy(desc(activity.position))
    .limit(page.limit)
    .as('newest')
  const ofTeams = await db
    .select({ position: newest.position })
    .from(teamMembers)
    .innerJoinLateral(newest, sql`true`)
    .where(eq(teamMembers.userId, userId))
    .orderBy(desc(newest.position))
    .limit(page.limit)
  const ofAccount = await db
    .select({ position: activity.position })
    .from(activity)
    .where(and(eq(activity.accountId, userId), isBefore(page)))
    .orderBy(desc(activity.position))
    .limit(page.limit)
  const positions = [...ofTeams, ...ofAccount].map(({ position }) => position)
  if (positions.length === 0) return []
  return named(db)
    .where(inArray(activity.position, positions))
    .orderBy(desc(activity.position))
    .limit(page.limit)
}

/** Removes up to `limit` entries from before `time`; returns how many. */
export async function removeBefore(db: Db, time: Date, limit: number) {
  const old = db
    .select({ position: activity.position })
    .from(activity)
    .where(lt(activity.createdAt, time))
    .limit(limit)
  const removed = await db
    .delete(activity)
    .where(inArray(activity.position, old))
    .returning({ position: activity.position })
  return removed.length
}

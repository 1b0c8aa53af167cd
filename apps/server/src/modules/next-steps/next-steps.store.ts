import type { UserId } from '@slipway/contract/account'
import type { NextSteps } from '@slipway/contract/next-steps'
import type { ProjectId } from '@slipway/contract/projects'
import { and, eq, exists, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/connect.ts'
import { activity } from '../activity/activity.schema.ts'
import { domains } from '../domains/domains.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teamInvitations, teamMembers } from '../teams/teams.schema.ts'

const others = alias(teamMembers, 'others')

/** The steps of a project of the user's teams, each from the table that knows it. */
export async function findForUser(
  db: Db,
  userId: UserId,
  id: ProjectId,
): Promise<NextSteps | undefined> {
  const signIns = db
    .select()
    .from(activity)
    .where(and(eq(activity.projectId, projects.id), eq(activity.kind, 'site_accessed')))
  const activeDomains = db
    .select()
    .from(domains)
    .where(and(eq(domains.projectId, projects.id), eq(domains.state, 'active')))
  const otherMembers = db
    .select()
    .from(others)
    .where(and(eq(others.teamId, projects.teamId), ne(others.userId, teamMembers.userId)))
  const invitations = db
    .select()
    .from(teamInvitations)
    .where(eq(teamInvitations.teamId, projects.teamId))
  const [steps] = await db
    .select({
      content: or(isNotNull(projects.artifact), exists(signIns)) as SQL<boolean>,
      domain: exists(activeDomains) as SQL<boolean>,
      invitation: or(exists(otherMembers), exists(invitations)) as SQL<boolean>,
    })
    .from(projects)
    .innerJoin(
      teamMembers,
      and(eq(teamMembers.teamId, projects.teamId), eq(teamMembers.userId, userId)),
    )
    .where(eq(projects.id, id))
  return steps
}

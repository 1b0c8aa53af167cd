import { sql } from 'drizzle-orm'
import { users } from '../account/account.schema.ts'
import { teamMembers, teams } from './teams.schema.ts'

/** A user who joined another team, or whose team others joined, is retained. */
export const keepsUser = sql`
  exists (select from ${teamMembers} join ${teams} on ${teams.id} = ${teamMembers.teamId}
    where (${teamMembers.userId} = ${users.id}) <> (${teams.userId} = ${users.id}))`

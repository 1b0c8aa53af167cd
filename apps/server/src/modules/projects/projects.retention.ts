import { sql } from 'drizzle-orm'
import { users } from '../account/account.schema.ts'
import { teams } from '../teams/teams.schema.ts'
import { projects } from './projects.schema.ts'

/** A user whose team has a project, even a deleted one, is retained. */
export const keepsUser = sql`
  exists (select from ${projects} join ${teams} on ${teams.id} = ${projects.teamId}
    where ${teams.userId} = ${users.id})`

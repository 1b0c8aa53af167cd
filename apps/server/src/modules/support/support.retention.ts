import { sql } from 'drizzle-orm'
import { users } from '../account/account.schema.ts'
import { supportTickets } from './support.schema.ts'

export const keepsUser = sql`
  exists (select from ${supportTickets} where ${supportTickets.userId} = ${users.id})`

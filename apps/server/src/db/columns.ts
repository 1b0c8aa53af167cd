import { customType, numeric, timestamp } from 'drizzle-orm/pg-core'

/** A time in UTC with milliseconds. */
export const time = (column = '') =>
  timestamp(column, { withTimezone: true, precision: 3, mode: 'date' })

/** Creation time, from the context's clock, never the database's, so that tests can move it. */
export const createdAt = time().notNull()
export const updatedAt = time().notNull()

/** Raw bytes, such as the hash of a token. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Money: a decimal with five places, as text, never a number. */
export const amount = () => numeric({ precision: 20, scale: 5 })

import { customType, numeric, timestamp } from 'drizzle-orm/pg-core'

/** A moment, in UTC, to the millisecond. */
export const time = (column = '') =>
  timestamp(column, { withTimezone: true, precision: 3, mode: 'date' })

/** When the row was made. By the context's clock, as every moment and never the database's: tests move it. */
export const createdAt = time().notNull()
/** When the row was last changed. */
export const updatedAt = time().notNull()

/** Raw bytes, such as the hash of a token. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Money: a decimal with five places, as text and never as a number. */
export const amount = () => numeric({ precision: 20, scale: 5 })

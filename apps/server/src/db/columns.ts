import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A moment, in UTC, to the millisecond. */
export const time = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

// Moments are always given by the context's clock, never by the database's: tests move that clock.
export const createdAt = time().notNull()
export const updatedAt = time().notNull()

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

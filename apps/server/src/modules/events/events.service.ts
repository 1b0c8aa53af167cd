import { type Event, event } from '@slipway/contract/events'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../context.ts'

/** The PostgreSQL channel on which servers receive events. */
export const channel = 'slipway_events'

/** Sends the event to every server once the transaction commits. */
export async function publish(tx: Tx, published: Event) {
  await tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify(published)})`)
}

/** Parses a notification's payload; undefined if invalid, such as an event of a newer version. */
export function read(payload: string): Event | undefined {
  const result = event.safeParse(parse(payload))
  return result.success ? result.data : undefined
}

/** Any database client may notify on the channel, so the payload may be anything. */
function parse(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

import { type Event, event } from '@slipway/contract/events'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../context.ts'

/** The channel on which every server hears what changed. */
export const channel = 'slipway_events'

/** Announces the event to every server when, and only if, the transaction commits. */
export async function publish(tx: Tx, announced: Event) {
  await tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify(announced)})`)
}

/** The event in a notification's payload; undefined for one of a newer server, and for what is none. */
export function read(payload: string): Event | undefined {
  const result = event.safeParse(parse(payload))
  return result.success ? result.data : undefined
}

/** Whoever may connect to the database may notify on the channel, of anything. */
function parse(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

import { randomUUID } from 'node:crypto'
import type { Event } from '@slipway/contract/events'
import pg from 'pg'
import * as events from '../modules/events/events.service.ts'

export type EventRecorder = Awaited<ReturnType<typeof recordEvents>>

/** Listens to all events that the database announces from now on, as each server does. */
export async function recordEvents(database: pg.ClientConfig) {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(`listen ${events.channel}`)
  let payloads: string[] = []
  let arrived = () => {}
  client.on('notification', ({ payload }) => {
    payloads.push(payload ?? '')
    arrived()
  })

  return {
    /** The events since the last call, in commit order. */
    async take(): Promise<Event[]> {
      // Notifications arrive in commit order, so this one arrives after all earlier ones.
      const mark = randomUUID()
      await client.query('select pg_notify($1, $2)', [events.channel, mark])
      while (!payloads.includes(mark))
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      const before = payloads.slice(0, payloads.indexOf(mark))
      payloads = payloads.slice(payloads.indexOf(mark) + 1)
      return before.flatMap((payload) => events.read(payload) ?? [])
    },
    close: () => client.end(),
  }
}

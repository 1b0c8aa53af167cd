import { randomUUID } from 'node:crypto'
import type { Event } from '@slipway/contract/events'
import pg from 'pg'
import * as events from '../modules/events/events.service.ts'

export type Announcements = Awaited<ReturnType<typeof hearAnnouncements>>

/** Hears every event that is announced on the database from now on, as each server does. */
export async function hearAnnouncements(database: pg.ClientConfig) {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(`listen ${events.channel}`)
  let heard: string[] = []
  let arrived = () => {}
  client.on('notification', ({ payload }) => {
    heard.push(payload ?? '')
    arrived()
  })

  return {
    /** What was announced since this was asked last, in the order of the commits. */
    async take(): Promise<Event[]> {
      // Notifications come in the order of the commits: with this one all before it are here.
      const mark = randomUUID()
      await client.query('select pg_notify($1, $2)', [events.channel, mark])
      while (!heard.includes(mark))
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      const before = heard.slice(0, heard.indexOf(mark))
      heard = heard.slice(heard.indexOf(mark) + 1)
      return before.flatMap((payload) => events.read(payload) ?? [])
    },
    close: () => client.end(),
  }
}

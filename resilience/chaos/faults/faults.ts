import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../harness/random.ts'
import type { MailBehavior } from '../product/mail-server.ts'
import type { Product } from '../product/product.ts'

export type Fault = {
  name: string
  run(product: Product, random: Random): Promise<void>
}

const sleepSeconds = (random: Random, low: number, high: number) =>
  sleep(random.between(low * 1000, high * 1000))

/** Clocks that are off by five minutes, or by an hour. */
const clockErrors = [-3_600_000, -330_000, 330_000, 3_600_000]

export const processFaults: Fault[] = [
  {
    name: 'a process is killed',
    run: async ({ roles }, random) => random.pick(roles)?.restart('SIGKILL'),
  },
  {
    name: 'a process is restarted',
    run: async ({ roles }, random) => random.pick(roles)?.restart('SIGTERM'),
  },
  {
    name: 'all processes are killed',
    run: async ({ roles }) => {
      await Promise.all(roles.map((role) => role.restart('SIGKILL')))
    },
  },
  {
    name: 'a second worker runs on the data folder',
    async run({ startOtherWorker, worker }, random) {
      const otherWorker = startOtherWorker()
      await sleepSeconds(random, 3, 8)
      // The first worker restarts or continues, as in a rolling restart or by accident.
      if (random.chance(0.5)) await worker.restart('SIGTERM')
      await sleepSeconds(random, 2, 5)
      await otherWorker.stop(random.chance(0.5) ? 'SIGTERM' : 'SIGKILL')
    },
  },
  {
    name: 'the clock of the worker is wrong',
    async run({ worker }, random) {
      await worker.restartWithClock(random.pick(clockErrors) ?? 0)
      await sleepSeconds(random, 8, 15)
      await worker.restartWithClock(0)
    },
  },
]

const stopDatabase = (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Fault => ({
  name: `PostgreSQL is stopped by ${signal}`,
  run: async ({ database }) => database.stopServer(signal),
})

const mailFault = (name: string, behavior: MailBehavior): Fault => ({
  name: `the mail server ${name}`,
  async run({ mailServer }, random) {
    mailServer.behave(behavior)
    await sleepSeconds(random, 3, 12)
    mailServer.behave('accepts')
  },
})

/** Faults of the database and the mail server. */
export const outsideFaults: Fault[] = [
  stopDatabase('SIGINT'),
  stopDatabase('SIGQUIT'),
  stopDatabase('SIGKILL'),
  {
    name: 'PostgreSQL is paused',
    run: ({ database }, random) => database.pause(random.between(500, 6_000)),
  },
  {
    name: 'the connections of PostgreSQL are ended',
    run: async ({ database }) => {
      // The server may be starting after another fault.
      await database.endConnections().catch(() => undefined)
    },
  },
  mailFault('hangs', 'hangs'),
  mailFault('refuses connections', 'refuses connections'),
  mailFault('defers', 'defers'),
  mailFault('rejects', 'rejects'),
]

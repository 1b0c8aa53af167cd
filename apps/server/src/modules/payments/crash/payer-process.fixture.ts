import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import type { InvoiceId } from '@slipway/contract/invoices'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import type pg from 'pg'
import { pino } from 'pino'
import { readEnv } from '../../../env/env.ts'

// A server in a process of its own, for a test to kill: it pays what the first line of its input tells it
// to, some at a time, or resolves what is in progress. Each step of a payment is written
// to its output before the next begins, and the process kills itself where it is told to.

/** What a payment does next. At each of them, and at any moment between, a process may die. */
export type Step =
  | 'before the row'
  | 'before the row is committed'
  | 'before the call'
  | 'after the call'
  | 'before the result is committed'

export type Item = {
  token: string
  body: { invoiceIds: InvoiceId[]; paymentMethodId: PaymentMethodId }
}

export type Instructions = {
  database: pg.ClientConfig
  dataDir: string
  /** How far its clock is ahead, in milliseconds. */
  ahead: number
  /** Resolves instead of paying. */
  resolve?: boolean
  items: Item[]
  /** Dies at that step of the payment of that number. */
  die?: { at: Step; place: number }
}

const [{ createApp }, { resolve }, store] = await Promise.all([
  import('../../../app.ts'),
  import('../settlement/resolver.ts'),
  import('../payments.store.ts'),
])

const input = createInterface(process.stdin)
const [line] = await once(input, 'line')
const given: Instructions = JSON.parse(line)
const say = (word: string, ...more: unknown[]) =>
  writeSync(1, `${JSON.stringify([word, ...more])}\n`)

// Whoever gave the instructions is gone.
input.on('close', () => process.exit(1))
const app = await createApp({
  env: { ...readEnv({ DATA_DIR: given.dataDir, RATE_LIMIT: '0' }), ROLE: 'web' },
  database: given.database,
  log: pino({ level: 'error' }, process.stderr),
  clock: { now: () => new Date(Date.now() + given.ahead) },
})
const { ctx } = app
await app.server.app.ready()
// Who is killed leaves nothing to the next process by itself.
flushCompileCache()

const current = new AsyncLocalStorage<{ place: number; writes: number }>()

/** Says where the payment is, and dies there if that is what was asked for. */
function reach(step: Step) {
  const place = current.getStore()?.place
  say('step', place, step)
  if (given.die?.place === place && given.die?.at === step) process.kill(process.pid, 'SIGKILL')
}

const { write, paymentGateway } = ctx
// The first write of a payment stores it, the second what came of it.
ctx.write = (work) => {
  const payment = current.getStore()
  if (!payment) return write(work)
  payment.writes++
  const begins = payment.writes === 1
  if (begins) reach('before the row')
  return write(async (tx) => {
    const done = await work(tx)
    reach(begins ? 'before the row is committed' : 'before the result is committed')
    return done
  })
}
ctx.paymentGateway = {
  ...paymentGateway,
  async charge(charge, signal) {
    reach('before the call')
    const outcome = await paymentGateway.charge(charge, signal)
    reach('after the call')
    return outcome
  },
}

async function pay({ token, body }: Item, place: number) {
  const answer = await current.run({ place, writes: 0 }, async () =>
    app.server.app.inject({
      method: 'POST',
      url: '/api/account/invoice/pay',
      headers: { authorization: `Bearer ${token}` },
      payload: body,
    }),
  )
  const { error, state } = answer.json()
  say('ended', place, error ?? state)
}

/** Some at a time, as somebody's calls come in and as the jobs are worked. */
async function each<Thing>(things: Iterable<Thing>, work: (thing: Thing) => Promise<void>) {
  const waiting = [...things]
  const one = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: 6 }, one))
}

const payAll = () => each(given.items.entries(), ([place, item]) => pay(item, place))

const resolveAll = async () =>
  each(await store.listDue(ctx.db, ctx.clock.now()), async (id) => {
    await resolve(ctx, id)
    const settled = await store.find(ctx.db, id)
    say('resolved', id, settled?.failure ?? settled?.state)
  })

say('working')
await (given.resolve ? resolveAll() : payAll())
say('done')
await app.close()
process.exit(0)

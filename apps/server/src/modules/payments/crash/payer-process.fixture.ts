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

// A server process for a test to kill. It reads its instructions from the first line of stdin, pays
// several items at a time or resolves payments in progress, writes each step to stdout before the
// next begins, and kills itself at the step that the instructions name.

/** The steps of a payment at which a process may be killed. */
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
  /** Added to its clock, in milliseconds. */
  clockOffset: number
  /** Resolves payments in progress instead of paying. */
  resolve?: boolean
  items: Item[]
  /** Where the process kills itself: the step of the item with this index. */
  die?: { step: Step; index: number }
}

const [{ createApp }, { resolve }, store] = await Promise.all([
  import('../../../app.ts'),
  import('../settlement/resolver.ts'),
  import('../payments.store.ts'),
])

const input = createInterface(process.stdin)
const [line] = await once(input, 'line')
const instructions: Instructions = JSON.parse(line)
const report = (event: string, ...values: unknown[]) =>
  writeSync(1, `${JSON.stringify([event, ...values])}\n`)

// The parent process has ended.
input.on('close', () => process.exit(1))
const app = await createApp({
  env: { ...readEnv({ DATA_DIR: instructions.dataDir, RATE_LIMIT: '0' }), ROLE: 'web' },
  database: instructions.database,
  log: pino({ level: 'error' }, process.stderr),
  clock: { now: () => new Date(Date.now() + instructions.clockOffset) },
})
const { ctx } = app
await app.server.app.ready()
// A killed process does not write its compile cache.
flushCompileCache()

const current = new AsyncLocalStorage<{ index: number; writes: number }>()

/** Reports the payment's step, and kills the process if instructed. */
function reach(step: Step) {
  const index = current.getStore()?.index
  report('step', index, step)
  if (instructions.die?.index === index && instructions.die?.step === step)
    process.kill(process.pid, 'SIGKILL')
}

const { write, paymentGateway } = ctx
// The first write of a payment stores it, the second its outcome.
ctx.write = (work) => {
  const payment = current.getStore()
  if (!payment) return write(work)
  payment.writes++
  const isFirst = payment.writes === 1
  if (isFirst) reach('before the row')
  return write(async (tx) => {
    const result = await work(tx)
    reach(isFirst ? 'before the row is committed' : 'before the result is committed')
    return result
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

async function pay({ token, body }: Item, index: number) {
  const response = await current.run({ index, writes: 0 }, async () =>
    app.server.app.inject({
      method: 'POST',
      url: '/api/account/invoice/pay',
      headers: { authorization: `Bearer ${token}` },
      payload: body,
    }),
  )
  const { error, state } = response.json()
  report('ended', index, error ?? state)
}

/** Runs up to six at a time. */
async function each<Entry>(items: Iterable<Entry>, work: (item: Entry) => Promise<void>) {
  const queue = [...items]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: 6 }, worker))
}

const payAll = () => each(instructions.items.entries(), ([index, item]) => pay(item, index))

const resolveAll = async () =>
  each(await store.listDue(ctx.db, ctx.clock.now()), async (id) => {
    await resolve(ctx, id)
    const settled = await store.find(ctx.db, id)
    report('resolved', id, settled?.failure ?? settled?.state)
  })

report('working')
await (instructions.resolve ? resolveAll() : payAll())
report('done')
await app.close()
process.exit(0)

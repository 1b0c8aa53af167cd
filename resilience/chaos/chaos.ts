import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '../../bench/harness/table.ts'
import { checkCharges } from './checks/charges.ts'
import { checkEmails } from './checks/emails.ts'
import { checkInvoices } from './checks/invoices.ts'
import { checkReleases } from './checks/releases.ts'
import { settle } from './checks/settle.ts'
import { checkSites } from './checks/sites.ts'
import { checkSockets } from './checks/sockets.ts'
import { violationsOf } from './checks/violation.ts'
import { lostWrites } from './checks/writes.ts'
import { type PastFault, runFaults } from './faults/run-faults.ts'
import { createJournal } from './load/journal.ts'
import { runLoad } from './load/load.ts'
import { type Product, startProduct } from './product/product.ts'

export type Options = {
  milliseconds: number
  seed: number
  /** Ends the run, which then cleans up. */
  interrupted: AbortSignal
}

/** The run was interrupted, so it has no result. */
export class Interrupted extends Error {}
export type Result = Awaited<ReturnType<typeof chaos>>

/** Starts a product, puts it under load, injects faults, and checks its invariants. */
export async function chaos(options: Options) {
  const { interrupted } = options
  print(`seed ${options.seed}`)
  const product = await startProduct()
  const interruption = new Promise<never>((_resolve, reject) => {
    interrupted.addEventListener('abort', () => reject(new Interrupted()), { once: true })
  })
  interruption.catch(() => undefined)
  try {
    interrupted.throwIfAborted()
    const history = await breakProduct(product, options, interruption)
    return await Promise.race([check(product, options, history), interruption])
  } finally {
    await product.stop()
    if (interrupted.aborted) await rm(product.logs, { recursive: true })
  }
}

/** Runs load and faults; each fault undoes its effect, also when the run is interrupted. */
async function breakProduct(
  product: Product,
  { milliseconds, seed }: Options,
  interruption: Promise<never>,
) {
  const journal = createJournal()
  const ended = new AbortController()
  const load = runLoad(product, journal, seed, ended.signal)
  const faults: Promise<PastFault[]> = runFaults(product, seed, ended.signal)
  try {
    await Promise.race([sleep(milliseconds), load, faults, interruption])
  } finally {
    ended.abort()
    await Promise.allSettled([faults, load])
  }
  print('the load has ended')
  await load
  return { journal, faults: await faults }
}

async function check(
  product: Product,
  { seed, milliseconds }: Options,
  { journal, faults }: Awaited<ReturnType<typeof breakProduct>>,
) {
  const settleStart = performance.now()
  const stuck = await settle(product)
  const settledIn = performance.now() - settleStart
  const charges = await checkCharges(product)
  const invoices = await checkInvoices(product, journal)
  const releases = await checkReleases(product, journal)
  const sites = await checkSites(product)
  const emails = await checkEmails(product, faults)
  const crashes = product.crashes.map(
    ({ name, code, logged }) => `${name} ended with ${code}: ${logged}`,
  )
  return {
    seed,
    milliseconds,
    journal,
    logs: product.logs,
    faults,
    settledIn,
    charges,
    sites,
    emails,
    invoices,
    releases,
    violations: [
      ...(await lostWrites(product, journal)),
      ...invoices.violations,
      ...releases.violations,
      ...charges.violations,
      ...stuck,
      ...sites.violations,
      ...emails.violations,
      ...(await checkSockets(product)),
      ...violationsOf('processes that ended by themselves', crashes),
    ],
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '../../bench/harness/table.ts'
import { doubleCharges } from './checks/charges.ts'
import { checkMails } from './checks/mails.ts'
import { settle } from './checks/settle.ts'
import { checkSites } from './checks/sites.ts'
import { violationsOf } from './checks/violation.ts'
import { lostWrites } from './checks/writes.ts'
import { type PastFault, runFaults } from './faults/run-faults.ts'
import { createJournal } from './load/journal.ts'
import { runLoad } from './load/load.ts'
import { type Product, startProduct } from './product/product.ts'

export type Options = { milliseconds: number; seed: number }
export type Result = Awaited<ReturnType<typeof chaos>>

/** Loads a product of its own, breaks it on purpose, and checks what it promises. */
export async function chaos(options: Options) {
  print(`seed ${options.seed}`)
  const product = await startProduct()
  try {
    return await breakAndCheck(product, options)
  } finally {
    await product.stop()
  }
}

async function breakAndCheck(product: Product, { milliseconds, seed }: Options) {
  const journal = createJournal()
  const ended = new AbortController()
  const load = runLoad(product, journal, seed, ended.signal)
  const faults: Promise<PastFault[]> = runFaults(product, seed, ended.signal)
  await Promise.race([sleep(milliseconds), load, faults])
  ended.abort()
  const past = await faults
  await load
  print('the load has ended')

  const settling = performance.now()
  const stuck = await settle(product)
  const settledIn = performance.now() - settling
  const charges = await doubleCharges(product)
  const sites = await checkSites(product)
  const mails = await checkMails(product, past)
  const crashes = product.crashes.map(
    ({ name, code, logged }) => `${name} ended with ${code}: ${logged}`,
  )
  return {
    seed,
    milliseconds,
    journal,
    logs: product.logs,
    faults: past,
    settledIn,
    charges,
    sites,
    mails,
    violations: [
      ...(await lostWrites(product, journal)),
      ...charges.violations,
      ...stuck,
      ...sites.violations,
      ...mails.violations,
      ...violationsOf('processes that ended by themselves', crashes),
    ],
  }
}

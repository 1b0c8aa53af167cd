import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '../../../bench/harness/table.ts'
import { createRandom, type Random } from '../../harness/random.ts'
import type { Product } from '../product/product.ts'
import { type Fault, outsideFaults, processFaults } from './faults.ts'

/** A fault that was run, by the clock of `performance.now`. */
export type PastFault = { name: string; from: number; to: number }

const maxPauseMs = 5_000
/** The chance that a fault begins before the product has recovered from the last one. */
const overlapChance = 0.25

async function runLane(
  faults: readonly Fault[],
  product: Product,
  random: Random,
  ended: AbortSignal,
  pastFaults: PastFault[],
) {
  while (!ended.aborted) {
    await sleep(random.between(500, maxPauseMs))
    const fault = random.pick(faults)
    if (!fault || ended.aborted) return
    const from = performance.now()
    print(`${(from / 1000).toFixed(1).padStart(6)} s  ${fault.name}`)
    await fault.run(product, random)
    pastFaults.push({ name: fault.name, from, to: performance.now() })
    // Otherwise the product would always be down on a slow machine, and acknowledge nothing.
    if (!random.chance(overlapChance)) await product.untilReady()
  }
}

/**
 * Runs faults of both kinds until the signal aborts. Faults of different kinds overlap, and each
 * undoes its effect.
 */
export async function runFaults(product: Product, seed: number, ended: AbortSignal) {
  const pastFaults: PastFault[] = []
  await Promise.all([
    runLane(processFaults, product, createRandom(seed), ended, pastFaults),
    runLane(outsideFaults, product, createRandom(seed + 1), ended, pastFaults),
  ])
  return pastFaults
}

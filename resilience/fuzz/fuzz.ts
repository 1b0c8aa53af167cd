import { declaredEndpoints } from '../../apps/server/src/testing/declared-endpoints.ts'
import { print } from '../../bench/harness/table.ts'
import { attacks } from './bytes/attacks.ts'
import { doorsOf, runAttacks } from './bytes/run-attacks.ts'
import { createOracle } from './checks/foreign-data.ts'
import { createFigures } from './figures.ts'
import { createPopulation } from './population/population.ts'
import { startProduct } from './product.ts'
import { bursts, describeBurst } from './requests/calls.ts'
import { type Fuzzed, runBurst, type Target } from './requests/run-burst.ts'
import { createSender } from './requests/send.ts'
import { type Report, runRound } from './rounds.ts'

/** A run ends after so many finds: the rest is usually more of the same. */
const mostFinds = 20
/** One round in so many goes to the server with the usual rate limit. */
const limitedEvery = 20
/** One round in so many attacks with bytes. */
const attacksEvery = 8
/** One round in so many is preceded by new tickets, cards and emailed tokens. */
const replenishAllEvery = 5

export type Options = { requests: number; milliseconds: number; seed: number }
export type Result = Awaited<ReturnType<typeof fuzz>>

/** Attacks a product of its own until the requests are sent or the time is over. */
export async function fuzz({ requests, milliseconds, seed }: Options) {
  print(`seed ${seed}`)
  const started = performance.now()
  const product = await startProduct()
  const figures = createFigures()
  const reports: Report[] = []
  const sender = createSender()
  try {
    const oracle = createOracle()
    const population = await createPopulation(product, oracle)
    const fuzzed: Fuzzed = {
      population,
      oracle,
      figures,
      send: sender.send,
    }
    const examples = bursts(await declaredEndpoints())
    for (
      let round = 0;
      figures.requests < requests &&
      performance.now() - started < milliseconds &&
      reports.length < mostFinds;
      round++
    ) {
      await (round % replenishAllEvery === 0 ? population.replenishAll() : population.replenish())
      const limited = round % limitedEvery === limitedEvery - 1
      const target: Target = {
        port: (limited ? product.limited : product.server).port,
        limited,
      }
      const site = population.sites[round % population.sites.length]
      const report =
        round % attacksEvery === attacksEvery - 1 && site
          ? await runRound(seed + round, attacks, (each) =>
              runAttacks(each, doorsOf(product, site), figures),
            )
          : await runRound(
              seed + round,
              examples,
              (burst) => runBurst(burst, target, fuzzed),
              describeBurst,
            )
      if (report) {
        reports.push(report)
        print(`find ${reports.length}, ${report.find.kind}: ${report.find.where}`)
      }
    }
  } finally {
    sender.close()
    await product.stop()
  }
  return { seed, figures, reports, milliseconds: performance.now() - started }
}

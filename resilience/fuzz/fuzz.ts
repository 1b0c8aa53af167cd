import { declaredEndpoints } from '../../apps/server/src/testing/declared-endpoints.ts'
import { pages } from '../../apps/server/src/testing/oauth-pages.ts'
import { print } from '../../bench/harness/table.ts'
import { attacks } from './bytes/attacks.ts'
import { listenersOf, runAttacks } from './bytes/run-attacks.ts'
import { checkCoverage } from './checks/coverage.ts'
import { createOracle } from './checks/foreign-data.ts'
import { checkLeaks } from './checks/leaks.ts'
import { watchSockets } from './checks/sockets.ts'
import { createFigures } from './figures.ts'
import { createPopulation } from './population/population.ts'
import { type Product, startProduct } from './product.ts'
import { bursts, describeBurst } from './requests/calls.ts'
import { type Fuzzed, runBurst, type Target } from './requests/run-burst.ts'
import { createSender } from './requests/send.ts'
import { type Report, runRound } from './rounds.ts'

/** The number of findings after which a run ends: later ones are usually the same. */
const maxFindings = 20
/** Every n-th round goes to the server with the usual rate limit. */
const limitedEvery = 20
/** Every n-th round attacks with bytes. */
const attacksEvery = 8
/** Every n-th round prints the progress of the run. */
const progressEvery = 25
/** Every n-th round begins with new tickets, cards and emailed tokens. */
const replenishAllEvery = 5

export type Options = { requests: number; milliseconds: number; seed: number }
export type Result = Awaited<ReturnType<typeof fuzz>>

const isLast = (round: number, every: number) => round % every === every - 1

/** Attacks a new product until the requests are sent or the time is over. */
export async function fuzz(options: Options) {
  print(`seed ${options.seed}`)
  const started = performance.now()
  const product = await startProduct()
  try {
    // If a server ends, the run fails with the reason.
    const result = await product.rateLimitedServer.orExit(
      product.server.orExit(attack(product, options)),
    )
    return { ...result, seed: options.seed, milliseconds: performance.now() - started }
  } finally {
    await product.stop()
  }
}

async function attack(product: Product, { requests, milliseconds, seed }: Options) {
  const figures = createFigures()
  const oracle = createOracle()
  const population = await createPopulation(product, oracle)
  const sockets = await watchSockets(product.server.url, population, oracle, figures)
  const sender = createSender()
  const fuzzed: Fuzzed = { population, oracle, figures, send: sender.send }
  const endpoints = [...(await declaredEndpoints()), ...pages]
  const calls = bursts(endpoints)
  const reports: Report[] = []

  async function attackOnce(round: number): Promise<Report | undefined> {
    const site = population.sites[round % population.sites.length]
    if (isLast(round, attacksEvery) && site)
      return runRound(seed + round, attacks, (each) =>
        runAttacks(each, listenersOf(product, site), figures),
      )
    const limited = isLast(round, limitedEvery)
    const target: Target = {
      port: (limited ? product.rateLimitedServer : product.server).port,
      limited,
    }
    return runRound(seed + round, calls, (burst) => runBurst(burst, target, fuzzed), describeBurst)
  }

  const started = performance.now()
  const progress = () =>
    Math.max(figures.requests / requests, (performance.now() - started) / milliseconds)
  let heapBefore: number | undefined
  for (let round = 0; progress() < 1 && reports.length < maxFindings; round++) {
    await (round % replenishAllEvery === 0 ? population.replenishAll() : population.replenish())
    // Measured when caches and compiled code have grown.
    if (heapBefore === undefined && progress() > 0.25)
      heapBefore = (await product.server.memory()).heapUsed
    if (isLast(round, progressEvery)) print(`${figures.requests} requests`)
    const report = await attackOnce(round)
    if (!report) continue
    reports.push(report)
    print(`finding ${reports.length}, ${report.finding.kind}: ${report.finding.where}`)
  }

  sender.close()
  reports.push(...sockets.close().map((finding) => ({ finding })))
  reports.push(...checkCoverage(figures, endpoints).map((finding) => ({ finding })))
  const leaks = await checkLeaks(product, heapBefore)
  reports.push(...leaks.findings.map((finding) => ({ finding })))
  return { figures, leaks, reports }
}

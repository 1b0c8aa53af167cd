import { inspect } from 'node:util'
import { title } from '../../apps/server/src/testing/declared-endpoints.ts'
import { megabytes, print, printMeasurements } from '../../bench/harness/table.ts'
import { successesOf } from './figures.ts'
import type { FindingKind } from './finding.ts'
import type { Result } from './fuzz.ts'
import type { Report } from './rounds.ts'

const kinds: Record<FindingKind, string> = {
  'server error': 'responses with 5xx',
  hang: 'responses after more than 2 s',
  'wrong shape': 'responses that the contract does not declare',
  'foreign data': "responses with another team's data",
  'broken connection': 'requests without a response',
  'overload without a limit': 'requests shed without a limit',
  leak: 'memory or connections that stay',
  'never successful': 'endpoints without a success',
}

const describe = (example: unknown) =>
  inspect(example, { depth: 12, maxStringLength: 400, breakLength: 100 })

function printFinding({ finding, seed, example }: Report, number: number) {
  print(`\nFinding ${number}, ${finding.kind}: ${finding.where}`)
  print(finding.message)
  if (seed === undefined) return
  print(`npm run fuzz -- --seed ${seed} --requests 1`)
  print(describe(example))
}

/** Prints the figures of a run, and each finding with its seed and its smallest example. */
export function printReport({ seed, figures, leaks, reports, milliseconds }: Result) {
  const countOf = (kind: FindingKind) =>
    reports.filter(({ finding }) => finding.kind === kind).length
  const counted = successesOf(figures)
  const failed = counted.filter(({ succeeded }) => succeeded === 0)
  const statuses = [...figures.statuses].sort(([one], [other]) => one - other)
  printMeasurements([
    {
      measure: 'requests',
      value: `${figures.requests} in ${Math.round(milliseconds / 1000)} s, ${figures.attacks} of them as bytes`,
    },
    {
      measure: 'endpoints called, and with success',
      value: `${figures.outcomes.size}, ${figures.outcomes.size - failed.length}`,
    },
    {
      measure: 'statuses',
      value: statuses.map(([status, count]) => `${status}: ${count}`).join(', '),
    },
    { measure: 'slowest response', value: `${Math.round(figures.slowest)} ms` },
    { measure: 'slow once, not again', value: String(figures.slowOnce) },
    { measure: 'shed once, not again', value: String(figures.shed) },
    { measure: 'rejected by the rate limit', value: String(figures.limited) },
    { measure: 'events of sockets', value: String(figures.socketEvents) },
    {
      measure: 'live heap, at first and at last',
      value: `${megabytes(leaks.heapBefore)}, ${megabytes(leaks.heapAfter)}`,
    },
    {
      measure: 'connections open without a client',
      value: leaks.openConnections ? String(leaks.openConnections.length) : 'unknown: Linux only',
    },
    ...(Object.keys(kinds) as FindingKind[]).map((kind) => ({
      measure: kinds[kind],
      value: String(countOf(kind)),
      budget: '0',
      met: countOf(kind) === 0,
    })),
  ])
  print('\nsuccesses of each endpoint')
  for (const { endpoint, calls, succeeded } of counted)
    print(`${String(succeeded).padStart(6)} of ${String(calls).padStart(5)}  ${title(endpoint)}`)
  for (const [index, report] of reports.entries()) printFinding(report, index + 1)
  print(`\nseed ${seed}`)
}

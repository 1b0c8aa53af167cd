import { print, printMeasurements } from '../../bench/harness/table.ts'
import type { Result } from './chaos.ts'
import type { Rule } from './checks/violation.ts'

const rules: Rule[] = [
  'acknowledged writes lost',
  'invoices lost or issued twice',
  'wrong charges',
  'stuck',
  'sites that differ from their projects',
  'sites twice',
  'emails lost or sent twice',
  'sockets without events',
  'processes that ended by themselves',
]

export function printReport(result: Result) {
  const {
    seed,
    journal,
    faults,
    settledIn,
    charges,
    sites,
    emails,
    violations,
    invoices,
    releases,
  } = result
  const countOf = (rule: Rule) => violations.filter((each) => each.rule === rule).length
  const byName = Map.groupBy(faults, ({ name }) => name)
  printMeasurements([
    {
      measure: 'load',
      value: `${Math.round(result.milliseconds / 60_000)} min, ${journal.users.length} sign-ups`,
    },
    {
      measure: 'calls acknowledged, rejected, of unknown outcome',
      value: `${journal.acknowledged}, ${journal.rejected}, ${journal.unknown}`,
    },
    {
      measure: 'visits to sites by status',
      value: [...journal.visits].map(([status, count]) => `${status}: ${count}`).join(', '),
    },
    { measure: 'faults', value: String(faults.length) },
    ...[...byName].map(([name, { length }]) => ({ measure: `  ${name}`, value: String(length) })),
    {
      measure: 'invoices issued, runs of all customers',
      value: `${invoices.invoices}, ${new Set(journal.runs).size}`,
    },
    {
      measure: 'releases acknowledged; live and failed ones at the end',
      value: `${releases.acknowledged}; ${releases.live}, ${releases.failed}`,
    },
    {
      measure: 'sockets opened, their events',
      value: `${journal.sockets.opened}, ${journal.sockets.events}`,
    },
    { measure: 'charges, late ones to refund', value: `${charges.charges}, ${charges.refunds}` },
    {
      measure: 'emails, sent again after a fault, rejected',
      value: `${emails.total}, ${emails.repeated}, ${emails.failed}`,
    },
    { measure: 'sites at the end', value: String(sites.sites) },
    { measure: 'settled after', value: `${Math.round(settledIn / 1000)} s` },
    ...rules.map((rule) => ({
      measure: rule,
      value: String(countOf(rule)),
      budget: '0',
      met: countOf(rule) === 0,
    })),
  ])
  for (const { rule, description } of violations) print(`${rule}: ${description}`)
  print(`\nseed ${seed}`)
}

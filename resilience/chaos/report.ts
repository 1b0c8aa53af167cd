import { print, printFigures } from '../../bench/harness/table.ts'
import type { Result } from './chaos.ts'
import type { Rule } from './checks/violation.ts'

const rules: Rule[] = [
  'acknowledged writes lost',
  'invoices lost or issued twice',
  'double charges',
  'stuck',
  'orphans',
  'sites twice',
  'emails lost or sent twice',
  'sockets without events',
  'processes that ended by themselves',
]

/** Prints the figures of a run, and each violation. */
export function printReport(result: Result) {
  const {
    seed,
    journal,
    faults,
    settledIn,
    charges,
    sites,
    mails,
    violations,
    invoices,
    releases,
  } = result
  const countOf = (rule: Rule) => violations.filter((each) => each.rule === rule).length
  const byName = Map.groupBy(faults, ({ name }) => name)
  printFigures([
    {
      measure: 'load',
      figure: `${Math.round(result.milliseconds / 60_000)} min, ${journal.users.length} sign-ups`,
    },
    {
      measure: 'calls acknowledged, rejected, of unknown outcome',
      figure: `${journal.acknowledged}, ${journal.rejected}, ${journal.unknown}`,
    },
    {
      measure: 'visits to sites by status',
      figure: [...journal.visits].map(([status, count]) => `${status}: ${count}`).join(', '),
    },
    { measure: 'faults', figure: String(faults.length) },
    ...[...byName].map(([name, { length }]) => ({ measure: `  ${name}`, figure: String(length) })),
    {
      measure: 'invoices issued, runs of all customers',
      figure: `${invoices.invoices}, ${new Set(journal.runs).size}`,
    },
    {
      measure: 'releases acknowledged; live and failed ones at the end',
      figure: `${releases.acknowledged}; ${releases.live}, ${releases.failed}`,
    },
    {
      measure: 'sockets opened, their events',
      figure: `${journal.sockets.opened}, ${journal.sockets.events}`,
    },
    { measure: 'charges, late ones to refund', figure: `${charges.charges}, ${charges.refunds}` },
    {
      measure: 'emails, sent again after a fault, rejected',
      figure: `${mails.mails}, ${mails.repeated}, ${mails.failed}`,
    },
    { measure: 'sites at the end', figure: String(sites.sites) },
    { measure: 'settled after', figure: `${Math.round(settledIn / 1000)} s` },
    ...rules.map((rule) => ({
      measure: rule,
      figure: String(countOf(rule)),
      budget: '0',
      met: countOf(rule) === 0,
    })),
  ])
  for (const { rule, what } of violations) print(`${rule}: ${what}`)
  print(`\nseed ${seed}`)
}

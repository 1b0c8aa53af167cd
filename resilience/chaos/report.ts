import { print, printFigures } from '../../bench/harness/table.ts'
import type { Result } from './chaos.ts'
import type { Rule } from './checks/violation.ts'

const rules: Rule[] = [
  'acknowledged writes lost',
  'double charges',
  'stuck',
  'orphans',
  'sites twice',
  'emails lost or sent twice',
  'processes that ended by themselves',
]

/** Prints the figures of a run, and each violation. */
export function printReport(result: Result) {
  const { seed, journal, faults, settledIn, charges, sites, mails, violations } = result
  const countOf = (rule: Rule) => violations.filter((each) => each.rule === rule).length
  const byName = Map.groupBy(faults, ({ name }) => name)
  printFigures([
    {
      what: 'load',
      figure: `${Math.round(result.milliseconds / 60_000)} min, ${journal.users.length} sign-ups`,
    },
    {
      what: 'calls acknowledged, rejected, of unknown outcome',
      figure: `${journal.acknowledged}, ${journal.rejected}, ${journal.unknown}`,
    },
    {
      what: 'visits to sites by status',
      figure: [...journal.visits].map(([status, count]) => `${status}: ${count}`).join(', '),
    },
    { what: 'faults', figure: String(faults.length) },
    ...[...byName].map(([name, { length }]) => ({ what: `  ${name}`, figure: String(length) })),
    { what: 'charges, late ones to refund', figure: `${charges.charges}, ${charges.refunds}` },
    {
      what: 'emails, sent again after a fault, rejected',
      figure: `${mails.mails}, ${mails.repeated}, ${mails.failed}`,
    },
    { what: 'sites at the end', figure: String(sites.sites) },
    { what: 'settled after', figure: `${Math.round(settledIn / 1000)} s` },
    ...rules.map((rule) => ({
      what: rule,
      figure: String(countOf(rule)),
      budget: '0',
      met: countOf(rule) === 0,
    })),
  ])
  for (const { rule, what } of violations) print(`${rule}: ${what}`)
  print(`\nseed ${seed}`)
}

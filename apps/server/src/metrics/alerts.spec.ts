import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createWorld, type World } from '../testing/world.ts'
import { startWithMetrics } from './metrics.fixture.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

const duration = z.string().regex(/^(\d+(ms|s|m|h|d|w|y))+$/)

/** The format of Prometheus' rule files; Prometheus rejects unknown fields, as this does. */
const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      interval: duration.optional(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Slipway[A-Za-z]+$/),
          expr: z.string(),
          for: duration.optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
})

const rules = ruleFile.parse(parse(read('deploy/alerts.yaml'))).groups.flatMap(({ rules }) => rules)

/** The metrics of a PromQL expression, and the words that are not PromQL. */
function namesIn(expression: string) {
  const metrics: string[] = []
  const errors: string[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      const text = expression.slice(from, to)
      if (type.isError) errors.push(text)
      if (type.name === 'Identifier') metrics.push(text)
    },
  })
  return { metrics, errors }
}

/** Set by Prometheus for each target. */
const ownMetrics = ['up']

let world: World
let scrape: string
beforeAll(async () => {
  world = await createWorld()
  scrape = await (await startWithMetrics(world)).scrape()
})
afterAll(() => world.close())

describe('deploy/alerts.yaml', () => {
  it('has each alert once', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(10)
  })

  it.each(rules)('$alert is PromQL on metrics that the server has', ({ expr }) => {
    const { metrics, errors } = namesIn(expr)
    expect(errors).toEqual([])
    expect(metrics).not.toEqual([])
    const declared = [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(
      ([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    expect(declared).toEqual(
      expect.arrayContaining(metrics.filter((name) => !ownMetrics.includes(name))),
    )
  })

  it('has one line of the runbook for each alert', () => {
    const section = read('docs/operations.md').split('\n## Alerts\n')[1]?.split('\n## ')[0] ?? ''
    const lines = [...section.matchAll(/^\| `(Slipway[A-Za-z]+)` +\| \S/gm)].map(([, name]) => name)
    expect(lines).toEqual(rules.map(({ alert }) => alert))
  })
})

import type { DomainStep } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'
import { describe, expect, it } from 'vitest'
import { problemText } from './domain-problems.ts'

const domain = { host: 'www.example.com', displayHost: 'www.example.com', zone: 'example.com' }
const step = (changes: Partial<DomainStep>): DomainStep => ({
  id: 'record',
  state: 'failed',
  problem: null,
  expected: [],
  found: [],
  detail: null,
  checkedAt: null,
  ...changes,
})

describe('the text of a problem', () => {
  it('is null for a step without a problem', () => {
    expect(problemText(step({}), domain)).toBeNull()
  })

  it('distinguishes an unreachable site from an unreachable certificate authority', () => {
    const unreachable = { problem: 'unreachable' } as const
    const { host } = domain
    expect(problemText(step({ id: 'reach', ...unreachable }), domain)).toBe(
      m.domains_problem_unreachable({ host }),
    )
    for (const id of ['certificate', 'renewal'] as const)
      expect(problemText(step({ id, ...unreachable }), domain)).toBe(
        m.domains_problem_authority_unreachable(),
      )
  })

  it.each([
    ['unreachable', m.domains_problem_some_unreachable],
    ['other_server', m.domains_problem_some_other_server],
  ] as const)(
    'is about some visitors if only some addresses have the problem %s',
    (problem, text) => {
      const partial = step({ id: 'reach', state: 'warning', problem })
      expect(problemText(partial, domain)).toBe(text({ host: domain.host }))
    },
  )

  it('explains a forbidding CAA record at its own step, and only a refusal at the certificate', () => {
    expect(problemText(step({ id: 'caa', problem: 'caa_forbids' }), domain)).toBe(
      m.domains_problem_caa(),
    )
    expect(problemText(step({ id: 'certificate', problem: 'caa' }), domain)).toBe(
      m.domains_problem_refused(),
    )
  })

  it('names the record that was created in the wrong place', () => {
    const name = '_slipway.www.example.com.example.com'
    const found = [{ type: 'TXT', name, value: 'slipway-1' } as const]
    const repeated = step({ problem: 'name_repeated', found })
    expect(problemText(repeated, domain)).toContain(name)
  })
})

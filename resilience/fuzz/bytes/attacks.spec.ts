import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attacks, fillPlaceholders } from './attacks.ts'

describe('an attack', () => {
  it('never cuts or changes the placeholder of the host in part', () => {
    const parts = fc
      .sample(attacks, { numRuns: 100, seed: 1 })
      .flatMap((batch) => batch.flatMap((attack) => attack.parts))
      .map((part) => fillPlaceholders(part, 'a.example.com'))
    expect(parts.filter((part) => /\{ho|st\}/.test(part))).toEqual([])
  })
})

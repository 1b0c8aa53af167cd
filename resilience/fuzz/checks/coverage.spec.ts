import { getProfile } from '@slipway/contract/account'
import { logout } from '@slipway/contract/sessions'
import { describe, expect, it } from 'vitest'
import { countOutcome, createFigures } from '../figures.ts'
import { checkCoverage } from './coverage.ts'

function figuresOf(requests: number) {
  const figures = { ...createFigures(), requests }
  countOutcome(figures, logout, 204, '')
  countOutcome(figures, getProfile, 401, '{"error":"unauthorized"}')
  return figures
}

describe('an endpoint without a success', () => {
  it('is a finding, with its responses', () => {
    const findings = checkCoverage(figuresOf(100_000), [logout, getProfile])
    expect(findings.map(({ kind, where, message }) => [kind, where, message])).toEqual([
      ['never successful', 'GET /account/profile/user', '401 unauthorized: 1'],
    ])
  })

  it('is no finding in a short run', () => {
    expect(checkCoverage(figuresOf(1_000), [logout, getProfile])).toEqual([])
  })
})

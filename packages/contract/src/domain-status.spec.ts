import { describe, expect, it } from 'vitest'
import { domainStatus, isConnected, isSecure, isToDo } from './domain-status.ts'
import type { ProjectDomain } from './domains.ts'

const domain = (changes: Partial<ProjectDomain>) =>
  ({ state: 'active', certificate: null, steps: [], ...changes }) as ProjectDomain
const certificate = (state: 'pending' | 'active' | 'failed') => ({
  state,
  issuer: null,
  expiresAt: null,
  renewAt: null,
})

describe('the status of a domain', () => {
  it.each([
    ['pending', null, 'pending'],
    ['failed', 'active', 'failed'],
    ['active', null, 'active'],
    ['active', 'pending', 'certificate_pending'],
    ['active', 'failed', 'certificate_failed'],
    ['active', 'active', 'active'],
  ] as const)('%s with the certificate %s is %s', (state, certificateState, shown) => {
    const shownDomain = domain({
      state,
      certificate: certificateState && certificate(certificateState),
    })
    expect(domainStatus(shownDomain)).toBe(shown)
  })

  it('is late while a certificate that runs out soon is not renewed', () => {
    const step = { expected: [], found: [], detail: null, checkedAt: null }
    const late = { ...step, id: 'renewal', state: 'warning', problem: 'renewal_late' } as const
    const shownDomain = domain({ certificate: certificate('active'), steps: [late] })
    expect(domainStatus(shownDomain)).toBe('certificate_late')
    expect(isConnected(shownDomain)).toBe(false)
    expect(isSecure(shownDomain)).toBe(true)
  })

  it.each([
    ['renewal_failed', { id: 'renewal', state: 'warning', problem: 'unreachable' }, 'active'],
    ['warning', { id: 'record', state: 'warning', problem: 'ipv6_elsewhere' }, 'active'],
    ['warning', { id: 'record', state: 'warning', problem: 'ipv6_elsewhere' }, 'pending'],
    ['warning', { id: 'caa', state: 'failed', problem: 'caa_forbids' }, 'pending'],
    ['active', { id: 'record', state: 'warning', problem: 'proxied' }, 'active'],
  ] as const)('is %s with the step %j and a certificate that is %s', (shown, changes, state) => {
    const step = { expected: [], found: [], detail: null, checkedAt: null, ...changes }
    const shownDomain = domain({ certificate: certificate(state), steps: [step] })
    expect(domainStatus(shownDomain)).toBe(shown)
  })

  it('stays connected with a step that works with restrictions', () => {
    const step = { expected: [], found: [], detail: null, checkedAt: null }
    const steps: ProjectDomain['steps'] = [
      { ...step, id: 'renewal', state: 'warning', problem: 'unreachable' },
    ]
    expect(isConnected(domain({ certificate: certificate('active'), steps }))).toBe(true)
  })

  it.each([
    ['record_missing', null, true],
    ['record_missing', '2026-01-01T00:00:00.000Z', false],
    ['record_elsewhere', null, false],
  ] as const)(
    'waits for the owner at the problem %s, proven at %s: %s',
    (problem, provenAt, isWaiting) => {
      const step = { expected: [], found: [], detail: null, checkedAt: null, problem }
      expect(isToDo({ ...step, id: 'record', state: 'failed' }, { provenAt })).toBe(isWaiting)
    },
  )

  it('is secure only while visitors reach the site with a certificate', () => {
    expect(isSecure(domain({ certificate: certificate('active') }))).toBe(true)
    expect(isSecure(domain({ certificate: null }))).toBe(false)
    expect(isSecure(domain({ state: 'failed', certificate: certificate('active') }))).toBe(false)
  })

  it('is connected once nothing is left to do', () => {
    const step = { problem: null, expected: [], found: [], detail: null, checkedAt: null }
    const steps = [{ ...step, id: 'record', state: 'done' }] as const
    expect(isConnected(domain({ steps: [...steps] }))).toBe(true)
    expect(isConnected(domain({ certificate: certificate('pending') }))).toBe(false)
    expect(isConnected(domain({ steps: [{ ...step, id: 'renewal', state: 'failed' }] }))).toBe(
      false,
    )
    expect(isConnected(domain({ state: 'pending' }))).toBe(false)
  })
})

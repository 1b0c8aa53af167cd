import { describe, expect, it } from 'vitest'
import { CapacityError } from '../engine.ts'
import { problemOfInstall } from './installs.ts'

const pod = { key: 'shop', install: null } as const

describe('an installation whose pod does not start', () => {
  it.each([
    'image_not_found',
    'image_access_denied',
    'image_not_pulled',
    'container_rejected',
  ] as const)('fails the release with %s', (kind) => {
    const problem = { kind, detail: 'the reason', isFinal: true }
    expect(problemOfInstall({ ...pod, problem })).toEqual({ failure: kind, detail: 'the reason' })
  })

  it('waits for a node with room', () => {
    const problem = { kind: 'no_room', detail: 'no node', isFinal: false } as const
    expect(() => problemOfInstall({ ...pod, problem })).toThrow(CapacityError)
  })

  it('has timed out without another reason', () => {
    expect(problemOfInstall({ ...pod, problem: null })).toEqual({ failure: 'install_timed_out' })
  })
})

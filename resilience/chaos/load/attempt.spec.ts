import { ApiError, UnreadableResponse } from '@slipway/contract/client'
import { describe, expect, it } from 'vitest'
import { attempt, createField } from './attempt.ts'

const acknowledged = { outcome: 'acknowledged', result: undefined } as const
const unknown = { outcome: 'unknown' } as const
const rejected = { outcome: 'rejected', code: 'forbidden' } as const

describe('a field of the journal', () => {
  it('has the last acknowledged value only', () => {
    const field = createField('a')
    field.record(acknowledged, 'b')
    field.record(rejected, 'c')
    expect(field.possible).toEqual(['b'])
  })

  it('may have its last acknowledged value, or any later one whose write has an unknown outcome', () => {
    const field = createField('a')
    field.record(unknown, 'b')
    field.record(unknown, 'c')
    expect(field.possible).toEqual(['a', 'b', 'c'])
    field.record(acknowledged, 'd')
    expect(field.possible).toEqual(['d'])
  })
})

describe('the outcome of a call', () => {
  it.each([
    ['acknowledged', () => Promise.resolve(7)],
    ['rejected', () => Promise.reject(new ApiError(403, { code: 403, error: 'forbidden' }))],
    ['unknown', () => Promise.reject(new ApiError(503, { code: 503, error: 'unavailable' }))],
    ['unknown', () => Promise.reject(new UnreadableResponse(502, 'Bad Gateway'))],
    ['unknown', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is %s', async (outcome, call) => {
    expect(await attempt(call())).toMatchObject({ outcome })
  })
})

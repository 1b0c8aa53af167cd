import { ApiError } from '@slipway/contract/client'
import { describe, expect, it } from 'vitest'
import { NetworkError } from './client.ts'
import { shownOf } from './missing.ts'

const data = { id: 'i1' }
const refusal = (status: number) => new ApiError(status, { code: status, error: 'item_not_found' })

describe('shownOf', () => {
  it('keeps what is there when it could not be refreshed', () => {
    for (const error of [null, refusal(403), refusal(500), new NetworkError('network')])
      expect(shownOf({ data, error })).toBe(data)
  })

  it('drops what is gone', () => {
    expect(shownOf({ data, error: refusal(404) })).toBeUndefined()
  })

  it('is nothing before there was an answer', () => {
    expect(shownOf({ data: undefined, error: null })).toBeUndefined()
  })
})

import { ApiError } from '@slipway/contract/client'
import { describe, expect, it } from 'vitest'
import { visibleData } from './missing.ts'
import { NetworkError } from './network-error.ts'

const data = { id: 'i1' }
const errorWith = (status: number) =>
  new ApiError(status, { code: status, error: 'item_not_found' })

describe('visibleData', () => {
  it('keeps data that could not be refreshed', () => {
    for (const error of [null, errorWith(403), errorWith(500), new NetworkError('network')])
      expect(visibleData({ data, error })).toBe(data)
  })

  it('drops the data of a deleted resource', () => {
    expect(visibleData({ data, error: errorWith(404) })).toBeUndefined()
  })

  it('is undefined before the first response', () => {
    expect(visibleData({ data: undefined, error: null })).toBeUndefined()
  })
})

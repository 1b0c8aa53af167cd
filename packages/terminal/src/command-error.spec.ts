import { ApiError } from '@slipway/contract/client'
import { expect, it } from 'vitest'
import { apiErrorText } from './command-error.ts'

it('states the size limit after a request that is too large, if the response has it', () => {
  const errorWith = (context?: string) =>
    new ApiError(413, { code: 413, error: 'request_too_large', ...(context && { context }) })
  const text = 'This is too large to send'
  expect(apiErrorText(errorWith('200000000'), 'en')).toBe(`${text}. The limit is 200 MB.`)
  expect(apiErrorText(errorWith('200000000'), 'tr')).toContain('Sınır 200 MB.')
  expect(apiErrorText(errorWith('the headers'), 'en')).toBe(text)
})

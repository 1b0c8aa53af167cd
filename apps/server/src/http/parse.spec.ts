import { updateTeam } from '@slipway/contract/teams'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { parse } from './parse.ts'

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

it('a body that is nested too deeply is malformed, for all types of fields', () => {
  const malformed = { error: expect.objectContaining({ code: 'malformed_request' }) }
  // A check of the length compares it to a number, which turns the array into text.
  expect(parse(updateTeam.body, { name: { length: nested(40_000) } }, 'validation_error')).toEqual(
    malformed,
  )
  expect(parse(z.object({}), { other: nested(40_000) }, 'validation_error')).toEqual(malformed)
  expect(parse(z.object({}), { other: nested(20) }, 'validation_error')).toEqual({ value: {} })
})

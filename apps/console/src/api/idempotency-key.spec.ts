import { createTicket } from '@slipway/contract/support'
import { describe, expect, it } from 'vitest'
import { newIdempotencyKey } from './idempotency-key.ts'

describe('newIdempotencyKey', () => {
  it('creates unique keys that the contract accepts', () => {
    const keys = Array.from({ length: 100 }, newIdempotencyKey)
    for (const idempotencyKey of keys)
      expect(
        createTicket.body.safeParse({ subject: 'Subject', message: 'Message', idempotencyKey }),
      ).toMatchObject({ success: true, data: { idempotencyKey } })
    expect(new Set(keys).size).toBe(keys.length)
  })
})

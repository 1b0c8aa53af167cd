import { createTicket } from '@slipway/contract/support'
import { describe, expect, it } from 'vitest'
import { newIdempotencyKey } from './idempotency-key.ts'

describe('newIdempotencyKey', () => {
  it('is one that the calls take, and never the same', () => {
    const keys = Array.from({ length: 100 }, newIdempotencyKey)
    for (const idempotencyKey of keys)
      expect(
        createTicket.body.safeParse({ subject: 'Subject', message: 'Message', idempotencyKey }),
      ).toMatchObject({ success: true, data: { idempotencyKey } })
    expect(new Set(keys).size).toBe(keys.length)
  })
})

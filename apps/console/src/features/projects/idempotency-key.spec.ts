import { createProject } from '@slipway/contract/projects'
import { describe, expect, it } from 'vitest'
import { newIdempotencyKey } from './idempotency-key.ts'

describe('newIdempotencyKey', () => {
  it('is one that the calls take, and never the same', () => {
    const keys = Array.from({ length: 100 }, newIdempotencyKey)
    const filled = { name: 'Site', teamId: newIdempotencyKey(), regionId: 'eu', domain: null }
    for (const idempotencyKey of keys)
      expect(createProject.body.safeParse({ ...filled, idempotencyKey })).toMatchObject({
        success: true,
        data: { idempotencyKey },
      })
    expect(new Set(keys).size).toBe(keys.length)
  })
})

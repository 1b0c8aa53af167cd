import { DrizzleQueryError } from 'drizzle-orm/errors'
import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { loggedError } from './log.ts'

describe('an error in the log', () => {
  it('holds neither the values of a failed query nor what PostgreSQL quotes of them', () => {
    const refused = new DatabaseError('duplicate key value violates "users_email"', 1, 'error')
    refused.detail = 'Key (email)=(secret@example.com) already exists.'
    refused.code = '23505'
    const failed = new DrizzleQueryError('insert into users values ($1)', ['secret hash'], refused)
    const logged = JSON.stringify(loggedError(new Error('it failed', { cause: failed })))
    expect(logged).not.toContain('secret')
    expect(logged).toContain('23505')
    expect(logged).toContain('it failed')
  })
})

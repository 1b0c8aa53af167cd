import { DrizzleQueryError } from 'drizzle-orm/errors'
import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { createRateLimitedLog, loggedError, serializers } from './log.ts'

describe('loggedError', () => {
  it("contains neither the values of a failed query nor PostgreSQL's detail", () => {
    const databaseError = new DatabaseError(
      'duplicate key value violates "users_email"',
      1,
      'error',
    )
    databaseError.detail = 'Key (email)=(secret@example.com) already exists.'
    databaseError.code = '23505'
    const failed = new DrizzleQueryError(
      'insert into users values ($1)',
      ['secret hash'],
      databaseError,
    )
    const logged = JSON.stringify(loggedError(new Error('it failed', { cause: failed })))
    expect(logged).not.toContain('secret')
    expect(logged).toContain('23505')
    expect(logged).toContain('it failed')
  })
})

describe('a copy of an error, as the job queue emits it', () => {
  it('has its message, code, queue and stack', () => {
    const error = Object.assign(new Error('the connection ended'), { code: '57P01' })
    const copy = { ...error, message: error.message, stack: error.stack, queue: 'mail.deliver' }
    expect(loggedError(copy)).toEqual({
      type: 'object',
      message: 'the connection ended',
      code: '57P01',
      queue: 'mail.deliver',
      stack: expect.stringMatching(/^ +at .*log\.spec\.ts/),
    })
  })

  it('has no message of a failed query, which contains values', () => {
    const failed = new DrizzleQueryError('insert into users values ($1)', ['secret hash'])
    const copy = { ...failed, message: failed.message, stack: failed.stack }
    expect(JSON.stringify(loggedError(copy))).not.toContain('secret')
  })
})

describe('createRateLimitedLog', () => {
  it('logs only the first of many events in ten seconds', () => {
    const lines: [object, string][] = []
    const log = { warn: (fields: object, message: string) => void lines.push([fields, message]) }
    const logLimited = createRateLimitedLog('some requests are rejected')
    for (let event = 0; event < 500; event++) logLimited(log, { address: '203.0.113.7' })
    expect(lines).toEqual([[{ count: 1, address: '203.0.113.7' }, 'some requests are rejected']])
  })
})

describe('logged request', () => {
  const path = (url: string) => {
    const { req } = serializers as { req(request: object): { path: string } }
    return req({ method: 'GET', url, ip: '203.0.113.7' }).path
  }

  it('contains the path without the query', () => {
    expect(path('/api/common/ws?token=secret')).toBe('/api/common/ws')
    const id = '019a0000-0000-7000-8000-000000000001'
    expect(path(`/api/account/payment-method/update/${id}`)).toContain(id)
    expect(path('/%ff%')).toBe('/%ff%')
  })

  it.each([
    '/api/update/4242424242424242',
    '/api/update/4242%204242%204242%204242?x',
    '/api/update/%E24242-4242-4242-4242%',
  ])('contains no card number: %s', (url) => {
    expect(path(url)).toMatch(/^\/api\/update\/[^0-9]+$/)
  })
})

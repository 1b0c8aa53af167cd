import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeEarlyResponse } from './early-responses.ts'

const url = '/api/management/project/all'
const asking = (token: string, method = 'GET') => ({
  method,
  headers: { Authorization: `Bearer ${token}` },
})
const answer = Promise.resolve(new Response('[]'))

describe('takeEarlyResponse', () => {
  beforeEach(() => {
    globalThis.earlyResponses = { token: 'mine', responses: { [url]: answer } }
  })
  afterEach(() => {
    globalThis.earlyResponses = undefined
    vi.restoreAllMocks()
  })

  it('gives what the page asked for, once', () => {
    expect(takeEarlyResponse(url, asking('mine'))).toBe(answer)
    expect(takeEarlyResponse(url, asking('mine'))).toBeUndefined()
  })

  it('gives nothing to another session, nor later when the first one is back', () => {
    expect(takeEarlyResponse(url, asking('other'))).toBeUndefined()
    expect(takeEarlyResponse(url, asking('mine'))).toBeUndefined()
  })

  it('gives a guest what was asked for without a session, and nobody else', () => {
    const guest = { method: 'GET', headers: {} }
    globalThis.earlyResponses = { token: null, responses: { [url]: answer } }
    expect(takeEarlyResponse(url, guest)).toBe(answer)
    globalThis.earlyResponses = { token: null, responses: { [url]: answer } }
    expect(takeEarlyResponse(url, asking('mine'))).toBeUndefined()
    globalThis.earlyResponses = { token: 'mine', responses: { [url]: answer } }
    expect(takeEarlyResponse(url, guest)).toBeUndefined()
  })

  it('gives nothing for another address or a change', () => {
    expect(takeEarlyResponse(`${url}?page=2`, asking('mine'))).toBeUndefined()
    expect(takeEarlyResponse(url, asking('mine', 'POST'))).toBeUndefined()
  })

  it('gives nothing that is no longer fresh', () => {
    vi.spyOn(performance, 'now').mockReturnValue(30_001)
    expect(takeEarlyResponse(url, asking('mine'))).toBeUndefined()
  })

  it('is nothing where no page asked', () => {
    globalThis.earlyResponses = undefined
    expect(takeEarlyResponse(url, asking('mine'))).toBeUndefined()
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeEarlyResponse } from './early-responses.ts'

const url = '/api/management/project/all'
const requestInit = (token: string, method = 'GET') => ({
  method,
  headers: { Authorization: `Bearer ${token}` },
})
const response = Promise.resolve(new Response('[]'))

describe('takeEarlyResponse', () => {
  beforeEach(() => {
    globalThis.earlyResponses = { token: 'mine', responses: { [url]: response } }
  })
  afterEach(() => {
    globalThis.earlyResponses = undefined
    vi.restoreAllMocks()
  })

  it('returns the response once', () => {
    expect(takeEarlyResponse(url, requestInit('mine'))).toBe(response)
    expect(takeEarlyResponse(url, requestInit('mine'))).toBeUndefined()
  })

  it('discards the response when another session requests it', () => {
    expect(takeEarlyResponse(url, requestInit('other'))).toBeUndefined()
    expect(takeEarlyResponse(url, requestInit('mine'))).toBeUndefined()
  })

  it("returns a guest's response to guests only", () => {
    const guest = { method: 'GET', headers: {} }
    globalThis.earlyResponses = { token: null, responses: { [url]: response } }
    expect(takeEarlyResponse(url, guest)).toBe(response)
    globalThis.earlyResponses = { token: null, responses: { [url]: response } }
    expect(takeEarlyResponse(url, requestInit('mine'))).toBeUndefined()
    globalThis.earlyResponses = { token: 'mine', responses: { [url]: response } }
    expect(takeEarlyResponse(url, guest)).toBeUndefined()
  })

  it('is undefined for another URL or method', () => {
    expect(takeEarlyResponse(`${url}?page=2`, requestInit('mine'))).toBeUndefined()
    expect(takeEarlyResponse(url, requestInit('mine', 'POST'))).toBeUndefined()
  })

  it('is undefined after 30 seconds', () => {
    vi.spyOn(performance, 'now').mockReturnValue(30_001)
    expect(takeEarlyResponse(url, requestInit('mine'))).toBeUndefined()
  })

  it('is undefined without early requests', () => {
    globalThis.earlyResponses = undefined
    expect(takeEarlyResponse(url, requestInit('mine'))).toBeUndefined()
  })
})

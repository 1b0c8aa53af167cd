import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { popPrefetchedResponse } from './prefetched-responses.ts'

const url = '/api/management/project/all'
const requestInit = (token: string, method = 'GET') => ({
  method,
  headers: { Authorization: `Bearer ${token}` },
})
const response = Promise.resolve(new Response('[]'))

describe('popPrefetchedResponse', () => {
  beforeEach(() => {
    globalThis.prefetched = { token: 'mine', responses: { [url]: response } }
  })
  afterEach(() => {
    globalThis.prefetched = undefined
    vi.restoreAllMocks()
  })

  it('returns the response once', () => {
    expect(popPrefetchedResponse(url, requestInit('mine'))).toBe(response)
    expect(popPrefetchedResponse(url, requestInit('mine'))).toBeUndefined()
  })

  it('discards the response when another session requests it', () => {
    expect(popPrefetchedResponse(url, requestInit('other'))).toBeUndefined()
    expect(popPrefetchedResponse(url, requestInit('mine'))).toBeUndefined()
  })

  it("returns a guest's response to guests only", () => {
    const guest = { method: 'GET', headers: {} }
    globalThis.prefetched = { token: null, responses: { [url]: response } }
    expect(popPrefetchedResponse(url, guest)).toBe(response)
    globalThis.prefetched = { token: null, responses: { [url]: response } }
    expect(popPrefetchedResponse(url, requestInit('mine'))).toBeUndefined()
    globalThis.prefetched = { token: 'mine', responses: { [url]: response } }
    expect(popPrefetchedResponse(url, guest)).toBeUndefined()
  })

  it('is undefined for another URL or method', () => {
    expect(popPrefetchedResponse(`${url}?page=2`, requestInit('mine'))).toBeUndefined()
    expect(popPrefetchedResponse(url, requestInit('mine', 'POST'))).toBeUndefined()
  })

  it('is undefined after 30 seconds', () => {
    vi.spyOn(performance, 'now').mockReturnValue(30_001)
    expect(popPrefetchedResponse(url, requestInit('mine'))).toBeUndefined()
  })

  it('is undefined when nothing was prefetched', () => {
    globalThis.prefetched = undefined
    expect(popPrefetchedResponse(url, requestInit('mine'))).toBeUndefined()
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeEarlyAnswer } from './early-answers.ts'

const url = '/api/management/project/all'
const asking = (token: string, method = 'GET') => ({
  method,
  headers: { Authorization: `Bearer ${token}` },
})
const answer = Promise.resolve(new Response('[]'))

describe('takeEarlyAnswer', () => {
  beforeEach(() => {
    globalThis.earlyAnswers = { token: 'mine', answers: { [url]: answer } }
  })
  afterEach(() => {
    globalThis.earlyAnswers = undefined
    vi.restoreAllMocks()
  })

  it('gives what the page asked for, once', () => {
    expect(takeEarlyAnswer(url, asking('mine'))).toBe(answer)
    expect(takeEarlyAnswer(url, asking('mine'))).toBeUndefined()
  })

  it('gives nothing to another session, nor later when the first one is back', () => {
    expect(takeEarlyAnswer(url, asking('other'))).toBeUndefined()
    expect(takeEarlyAnswer(url, asking('mine'))).toBeUndefined()
  })

  it('gives a guest what was asked for without a session, and nobody else', () => {
    const guest = { method: 'GET', headers: {} }
    globalThis.earlyAnswers = { token: null, answers: { [url]: answer } }
    expect(takeEarlyAnswer(url, guest)).toBe(answer)
    globalThis.earlyAnswers = { token: null, answers: { [url]: answer } }
    expect(takeEarlyAnswer(url, asking('mine'))).toBeUndefined()
    globalThis.earlyAnswers = { token: 'mine', answers: { [url]: answer } }
    expect(takeEarlyAnswer(url, guest)).toBeUndefined()
  })

  it('gives nothing for another address or a change', () => {
    expect(takeEarlyAnswer(`${url}?page=2`, asking('mine'))).toBeUndefined()
    expect(takeEarlyAnswer(url, asking('mine', 'POST'))).toBeUndefined()
  })

  it('gives nothing that is no longer fresh', () => {
    vi.spyOn(performance, 'now').mockReturnValue(30_001)
    expect(takeEarlyAnswer(url, asking('mine'))).toBeUndefined()
  })

  it('is nothing where no page asked', () => {
    globalThis.earlyAnswers = undefined
    expect(takeEarlyAnswer(url, asking('mine'))).toBeUndefined()
  })
})

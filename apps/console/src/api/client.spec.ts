import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

let nextResponse = { status: 200, body: '' }
let authorization: string | undefined
let beforeResponse = () => {}
const server = createServer((request, response) => {
  authorization = request.headers.authorization
  beforeResponse()
  response
    .writeHead(nextResponse.status, { 'Content-Type': 'application/json' })
    .end(nextResponse.body)
})

const stored = new Map<string, string>()
const onAccessLost = vi.fn()
let client: typeof import('./client.ts')

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  vi.stubEnv('VITE_API_BASE', `http://127.0.0.1:${port}`)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  client = await import('./client.ts')
  client.handleAccessLost(onAccessLost)
})

beforeEach(() => {
  stored.set('token', 'first')
  onAccessLost.mockClear()
  beforeResponse = () => {}
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  server.close()
})

const respondWithError = (status: number, error: string) => {
  nextResponse = { status, body: JSON.stringify({ code: status, error }) }
}

describe('call', () => {
  it('sends the stored token', async () => {
    nextResponse = { status: 200, body: '{"id":"u1"}' }
    await expect(client.call(getProfile)).resolves.toEqual({ id: 'u1' })
    expect(authorization).toBe('Bearer first')
  })

  it('deletes the token and reports lost access after a 401', async () => {
    respondWithError(401, 'unauthorized')
    await expect(client.call(getProfile)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(stored.has('token')).toBe(false)
    expect(onAccessLost).toHaveBeenCalledExactlyOnceWith('unauthorized')
  })

  it('keeps the token of a session that starts while the 401 is in flight', async () => {
    respondWithError(401, 'unauthorized')
    beforeResponse = () => stored.set('token', 'second')
    await expect(client.call(getProfile)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(stored.get('token')).toBe('second')
    expect(onAccessLost).not.toHaveBeenCalled()
  })

  it('reports an unverified user and keeps the session', async () => {
    respondWithError(403, 'user_not_verified')
    await expect(client.call(getProfile)).rejects.toMatchObject({ code: 'user_not_verified' })
    expect(stored.get('token')).toBe('first')
    expect(onAccessLost).toHaveBeenCalledExactlyOnceWith('user_not_verified')
  })

  it('reports no lost access after any other error', async () => {
    respondWithError(403, 'forbidden')
    await expect(client.call(getProfile)).rejects.toMatchObject({ code: 'forbidden' })
    expect(onAccessLost).not.toHaveBeenCalled()
  })

  it('loads the text of an error that only signed-in users get', async () => {
    const { errorMessage } = await import('./error-message.ts')
    respondWithError(400, 'project_limit_reached')
    const error = await client.call(getProfile).catch((reason: unknown) => reason)
    expect(errorMessage(error)).toBe(m.error_project_limit_reached())
  })

  it('throws the text of a response that is not JSON', async () => {
    nextResponse = { status: 502, body: 'Bad gateway' }
    await expect(client.call(getProfile)).rejects.toThrow('Bad gateway')
  })

  it('throws an AbortError, not a NetworkError, when it is aborted', async () => {
    const aborted = client.call(getProfile, undefined, AbortSignal.abort())
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('throws a NetworkError when no response arrives', async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
    await expect(client.call(getProfile)).rejects.toMatchObject({ name: 'NetworkError' })
  })
})

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { listProjects } from '@slipway/contract/projects'
import { listTeams } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestUser, type World } from '../testing/world.ts'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld()
  user = await world.user()
  for (let count = 0; count < 60; count++)
    await world.project({ teamId: user.teamId, state: 'ready' })
})
afterAll(() => world.close())

const get = (path: string, accepted?: string) =>
  world.app.server.app.inject({
    method: 'GET',
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${user.token}`,
      ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
    },
  })

describe('compression of long responses', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ])('Accept-Encoding: %s gets %s', async (accepted, coding, decompress) => {
    const plain = await get(listProjects.path)
    const response = await get(listProjects.path, accepted)
    expect(response.headers).toMatchObject({
      'content-encoding': coding,
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(response.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(Number(response.headers['content-length'] ?? response.rawPayload.length)).toBe(
      response.rawPayload.length,
    )
    expect(JSON.parse(decompress(response.rawPayload).toString())).toEqual(plain.json())
  })

  it.each([undefined, 'identity', 'gzip;q=0', 'zstd'])(
    'Accept-Encoding: %s gets no compression, with Vary',
    async (accepted) => {
      const response = await get(listProjects.path, accepted)
      expect(response.headers['content-encoding']).toBeUndefined()
      expect(response.headers.vary).toContain('Accept-Encoding')
      expect(response.json()).toHaveLength(60)
    },
  )
})

describe('compression of short responses', () => {
  it('a short response is not compressed', async () => {
    const { headers } = await get(listTeams.path, 'br')
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).not.toContain('Accept-Encoding')
  })
})

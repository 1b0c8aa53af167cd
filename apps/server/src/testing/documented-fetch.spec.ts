import { describe, expect, it } from 'vitest'
import { documentedFetch } from './documented-fetch.ts'

const respond = (status: number, body: unknown) =>
  documentedFetch(async () => Response.json(body, { status }))

describe('documented fetch', () => {
  const url = '/api/management/team/all'

  it('accepts what the document has', async () => {
    expect((await respond(200, [])(url)).status).toBe(200)
    const missing = { code: 401, error: 'unauthorized' }
    expect((await respond(401, missing)(url)).status).toBe(401)
  })

  it.each([
    ['a status that is not documented', 418, {}],
    ['a missing field', 200, [{ id: 'x' }]],
    ['another type', 200, { teams: [] }],
    ['an error of another endpoint', 401, { code: 401, error: 'login_required' }],
    ['an error with another status in its body', 401, { code: 403, error: 'unauthorized' }],
    ['a shared error with another status in its body', 503, { code: 500, error: 'unavailable' }],
  ])('rejects %s', async (_what, status, body) => {
    await expect(respond(status, body)(url)).rejects.toThrow('the API document')
  })
})

import { describe, expect, it } from 'vitest'
import { ApiError, createClient, requestPath, UnreadableResponse } from './client.ts'
import { listProjects, viewProject } from './projects.ts'
import { login } from './sessions.ts'

/** A client whose one request gets this response. `requests` has the sent requests. */
function clientWith(response: Response, token: string | null = null) {
  const requests: { url: string; init: RequestInit }[] = []
  const call = createClient({
    base: '/api',
    token: () => token,
    locale: () => 'tr',
    fetch: async (url, init) => {
      requests.push({ url: String(url), init: init ?? {} })
      return response
    },
  })
  return { call, requests }
}

describe('the client', () => {
  it('sends the token, the language and a JSON body', async () => {
    const { call, requests } = clientWith(Response.json({ token: 't' }), 'secret')
    await call(login, { body: { email: 'a@example.com', password: 'x' } })
    expect(requests[0]?.url).toBe('/api/auth/email/login')
    expect(requests[0]?.init.method).toBe('POST')
    expect(requests[0]?.init.headers).toEqual({
      Accept: 'application/json',
      'Accept-Language': 'tr',
      Authorization: 'Bearer secret',
      'Content-Type': 'application/json',
    })
    expect(requests[0]?.init.body).toBe('{"email":"a@example.com","password":"x"}')
  })

  it('sends no content type without a body', async () => {
    const { call, requests } = clientWith(Response.json([]))
    expect(await call(listProjects)).toEqual([])
    expect(requests[0]?.init).not.toHaveProperty('body')
    expect(requests[0]?.init.headers).not.toHaveProperty('Content-Type')
  })

  it('escapes parameters of the path and the query', () => {
    expect(requestPath(viewProject, { params: { key: 'a/b ?' } })).toBe(
      '/management/project/view/a%2Fb%20%3F',
    )
    expect(requestPath(listProjects, { query: { page: 2, perPage: undefined } })).toBe(
      '/management/project/all?page=2',
    )
  })

  it('throws an error response with its status, code and fields', async () => {
    const body = { code: 422, error: 'validation_error', root: { name: 'Please enter a name' } }
    const { call } = clientWith(Response.json(body, { status: 422 }))
    const error = await call(listProjects).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'validation_error', fields: body.root })
  })

  it('throws the text of an error response in another shape', async () => {
    for (const text of ['<h1>Bad gateway</h1>', '{"message":"x"}', '{"error":"unheard_of"}']) {
      const { call } = clientWith(new Response(text, { status: 502 }))
      const error = await call(listProjects).catch((thrown) => thrown)
      expect(error).toBeInstanceOf(UnreadableResponse)
      expect(error).toMatchObject({ message: text, status: 502 })
    }
  })

  it('throws the text of a success that is not JSON', async () => {
    for (const text of ['<html>Log in to this network</html>', '']) {
      const { call } = clientWith(new Response(text))
      await expect(call(listProjects)).rejects.toMatchObject({
        name: 'UnreadableResponse',
        message: text,
        status: 200,
      })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { ApiError, createClient, requestPath, UnreadableResponse } from './client.ts'
import { listProjects, viewProject } from './projects.ts'
import { login } from './sessions.ts'

/** A client whose one call is answered like that; `asked` holds what it sent. */
function answering(response: Response, token: string | null = null) {
  const asked: { url: string; init: RequestInit }[] = []
  const call = createClient({
    base: '/api',
    token: () => token,
    locale: () => 'tr',
    fetch: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} })
      return response
    },
  })
  return { call, asked }
}

describe('the client', () => {
  it('sends the token, the language and a JSON body', async () => {
    const { call, asked } = answering(Response.json({ token: 't' }), 'secret')
    await call(login, { body: { email: 'a@example.com', password: 'x' } })
    expect(asked[0]?.url).toBe('/api/auth/email/login')
    expect(asked[0]?.init.method).toBe('POST')
    expect(asked[0]?.init.headers).toEqual({
      Accept: 'application/json',
      'Accept-Language': 'tr',
      Authorization: 'Bearer secret',
      'Content-Type': 'application/json',
    })
    expect(asked[0]?.init.body).toBe('{"email":"a@example.com","password":"x"}')
  })

  it('sends no body and no content type where there is none', async () => {
    const { call, asked } = answering(Response.json([]))
    expect(await call(listProjects)).toEqual([])
    expect(asked[0]?.init).not.toHaveProperty('body')
    expect(asked[0]?.init.headers).not.toHaveProperty('Content-Type')
  })

  it('escapes what goes into the path and the query', () => {
    expect(requestPath(viewProject, { params: { key: 'a/b ?' } })).toBe(
      '/management/project/view/a%2Fb%20%3F',
    )
    expect(requestPath(listProjects, { query: { page: 2, perPage: undefined } })).toBe(
      '/management/project/all?page=2',
    )
  })

  it('throws the service’s error with its code, context and fields', async () => {
    const body = { code: 422, error: 'validation_error', root: { name: 'Please enter a name' } }
    const { call } = answering(Response.json(body, { status: 422 }))
    const error = await call(listProjects).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'validation_error', fields: body.root })
  })

  it('throws the text of an answer that is not JSON, or not ours', async () => {
    for (const text of ['<h1>Bad gateway</h1>', '{"message":"x"}', '{"error":"unheard_of"}']) {
      const { call } = answering(new Response(text, { status: 502 }))
      const error = await call(listProjects).catch((thrown) => thrown)
      expect(error).toBeInstanceOf(UnreadableResponse)
      expect(error).toMatchObject({ message: text, status: 502 })
    }
  })

  it('throws the text of a good answer that is not JSON', async () => {
    for (const text of ['<html>Log in to this network</html>', '']) {
      const { call } = answering(new Response(text))
      await expect(call(listProjects)).rejects.toMatchObject({
        name: 'UnreadableResponse',
        message: text,
        status: 200,
      })
    }
  })
})

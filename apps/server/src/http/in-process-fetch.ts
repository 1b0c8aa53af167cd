import type { FastifyInstance } from 'fastify'

/** A `fetch` that sends requests to the server in this process, without a network. */
export const inProcessFetch =
  (server: FastifyInstance): typeof fetch =>
  async (input, init) => {
    const { statusCode, headers, rawPayload } = await server.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(init?.body === undefined ? {} : { payload: await payloadOf(init.body) }),
    })
    // The Response constructor rejects a body with status 204.
    return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    })
  }

const payloadOf = async (body: RequestInit['body']) =>
  body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : String(body)

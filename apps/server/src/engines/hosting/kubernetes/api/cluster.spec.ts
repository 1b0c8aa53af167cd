import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { sendJson, startApiServer } from './api-server.fixture.ts'
import { kinds } from './resources.ts'

const status = (reason: string, message: string) => ({ kind: 'Status', reason, message })
const namespace = { ...kinds.Namespace, metadata: { name: 'shop' } }
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? error.failure : error),
  )

describe('a call of the Kubernetes API', () => {
  it.each([
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [409, 'Conflict'],
  ])('is retried after status %i', async (code, reason) => {
    let failures = 2
    const { cluster, requests } = await startApiServer((_, response) => {
      if (failures-- > 0) sendJson(response, status(reason, 'later'), code)
      else sendJson(response, namespace)
    })
    expect(await cluster.apply(namespace)).toEqual(namespace)
    expect(requests).toHaveLength(3)
  })

  it('is retried when the connection breaks', async () => {
    let failures = 1
    const { cluster, requests } = await startApiServer((request, response) => {
      if (failures-- > 0) request.socket.destroy()
      else sendJson(response, namespace)
    })
    expect(await cluster.read(kinds.Namespace, 'shop')).toEqual(namespace)
    expect(requests).toHaveLength(2)
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['the response never begins', () => {}],
    [
      'the response never ends',
      (response) => response.writeHead(200, { 'content-length': 10 }).write('{'),
    ],
  ])('is retried when %s', async (_, respond) => {
    let waits = 0
    const wait = async () => {
      waits += 1
    }
    const { cluster } = await startApiServer((_request, response) => respond(response), {
      attempts: 3,
      timeoutMs: 100,
      wait,
    })
    expect(await failureOf(cluster.apply(namespace))).toBe('retry')
    expect(waits).toBe(2)
  })

  it.each([
    [502, '<h1>Bad gateway</h1>'],
    [503, 'no server is available'],
    [504, '{"error":"timeout"}'],
  ])('treats status %i of a load balancer as a missing response', async (code, body) => {
    const { cluster } = await startApiServer(
      (_, response) => response.writeHead(code, { 'content-type': 'text/html' }).end(body),
      { attempts: 1 },
    )
    const error: unknown = await cluster.version().catch((reason) => reason)
    expect(error).toMatchObject({ failure: 'retry', status: 0 })
  })

  it('tells an overloaded API server from a balancer', async () => {
    const { cluster } = await startApiServer(
      (_, response) => sendJson(response, status('ServiceUnavailable', 'later'), 503),
      { attempts: 1 },
    )
    const error: unknown = await cluster.version().catch((reason) => reason)
    expect(error).toMatchObject({ failure: 'retry', status: 503 })
  })

  it('fails after its last attempt', async () => {
    const { cluster, requests } = await startApiServer(
      (_, response) => sendJson(response, status('InternalError', 'broken'), 500),
      { attempts: 3 },
    )
    expect(await failureOf(cluster.apply(namespace))).toBe('retry')
    expect(requests).toHaveLength(3)
  })

  it.each([
    [403, 'Forbidden', 'pods "a" is forbidden: exceeded quota: size', 'quota'],
    [403, 'Forbidden', 'pods is forbidden: User "a" cannot create resource', 'denied'],
    [403, 'Forbidden', 'pods "a" is forbidden: violates PodSecurity "restricted"', 'invalid'],
    [403, 'Forbidden', 'admission webhook "a" denied the request: no', 'invalid'],
    [403, '', '<h1>Forbidden</h1>', 'denied'],
    [422, 'Invalid', 'spec.replicas: Invalid value', 'invalid'],
    [409, 'AlreadyExists', 'exists', 'conflict'],
  ])('is not retried after status %i %s (%s): %s', async (code, reason, message, failure) => {
    const { cluster, requests } = await startApiServer((_, response) =>
      sendJson(response, status(reason, message), code),
    )
    expect(await failureOf(cluster.apply(namespace))).toBe(failure)
    expect(requests).toHaveLength(1)
  })

  it('is retried while its namespace is terminating', async () => {
    const ending = {
      ...status('Forbidden', 'pods "a" is forbidden: unable to create new content'),
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    }
    const { cluster, requests } = await startApiServer(
      (_, response) => sendJson(response, ending, 403),
      { attempts: 2 },
    )
    expect(await failureOf(cluster.apply(namespace))).toBe('retry')
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['the header Retry-After', '7', undefined, 7_000],
    ['the details of the status', undefined, 3, 3_000],
    ['at most 30 seconds', '600', undefined, 30_000],
  ])('waits for the time that status 429 names: %s', async (_, header, seconds, expected) => {
    const waits: number[] = []
    const { cluster, requests } = await startApiServer(
      (_request, response) => {
        if (header !== undefined) response.setHeader('retry-after', header)
        const details = { retryAfterSeconds: seconds }
        sendJson(response, { ...status('TooManyRequests', 'later'), details }, 429)
      },
      {
        attempts: 3,
        wait: async (ms) => {
          waits.push(ms)
        },
      },
    )
    expect(await failureOf(cluster.apply(namespace))).toBe('retry')
    expect(requests).toHaveLength(3)
    expect(waits).toEqual([expected, expected])
  })

  it('applies on the server, as our field manager, and overwrites what others set', async () => {
    let request: { type: string | undefined; query: string } | undefined
    const { cluster } = await startApiServer((incoming, response, url) => {
      request = { type: incoming.headers['content-type'], query: url.search }
      sendJson(response, namespace)
    })
    await cluster.apply(namespace)
    expect(request).toEqual({
      type: 'application/apply-patch+yaml',
      query: '?fieldManager=slipway&force=true',
    })
  })

  it('sends the token of the kubeconfig', async () => {
    let authorization: string | undefined
    const { cluster } = await startApiServer((incoming, response) => {
      authorization = incoming.headers.authorization
      sendJson(response, namespace)
    })
    await cluster.read(kinds.Namespace, 'shop')
    expect(authorization).toBe('Bearer secret')
  })

  it('deletes the object that was read, and no other in its place', async () => {
    let body = ''
    const { cluster } = await startApiServer((incoming, response) => {
      incoming.setEncoding('utf8')
      incoming.on('data', (part: string) => {
        body += part
      })
      incoming.on('end', () => sendJson(response, {}))
    })
    await cluster.remove({ ...namespace, metadata: { name: 'shop', uid: 'u-1' } })
    expect(JSON.parse(body)).toMatchObject({ preconditions: { uid: 'u-1' } })
  })

  it.each([
    'Precondition failed: UID in precondition: u-1, UID in object meta: u-2',
    'the UID in the precondition (u-1) does not match the UID in record (u-2)',
  ])('removes nothing if another object has the name: %s', async (message) => {
    const { cluster, requests } = await startApiServer((_, response) =>
      sendJson(response, status('Conflict', `Operation cannot be fulfilled: ${message}`), 409),
    )
    const removed = await cluster.remove({ ...namespace, metadata: { name: 'shop', uid: 'u-1' } })
    expect(removed).toBe(false)
    expect(requests).toHaveLength(1)
  })

  it('reads a list in parts', async () => {
    const { cluster } = await startApiServer((_, response, url) => {
      const isSecond = url.searchParams.get('continue') === 'next'
      const name = isSecond ? 'second' : 'first'
      sendJson(response, {
        items: [{ metadata: { name } }],
        metadata: { resourceVersion: '7', ...(isSecond ? {} : { continue: 'next' }) },
      })
    })
    const items = await cluster.list(kinds.Namespace, 'a=b')
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['first', 'second'])
  })
})

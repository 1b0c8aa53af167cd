import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { hasPhpFpm } from '../../testing/has-php-fpm.ts'
import { withPhpFpm, withRelease } from '../../testing/php-fpm.ts'
import { openRequest } from '../gateway.fixture.ts'
import type { GatewayOptions } from '../gateway.ts'

const hasPhp = await hasPhpFpm()

async function send(
  port: number,
  path: string,
  body: Buffer,
  headers: Record<string, string> = {},
) {
  const { outgoing, response } = openRequest(port, 'POST', path, {
    'content-length': String(body.length),
    ...headers,
  })
  outgoing.end(body)
  const received = await response
  return { status: received.statusCode, body: await buffer(received) }
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe.skipIf(!hasPhp)('a PHP site behind the gateway', () => {
  it('runs its programs with the variables of the request', async () => {
    const world = await withPhpFpm({
      'index.php': '<?php header("Content-Type: application/json"); echo json_encode($_SERVER);',
    })
    const path = '/posts/first?a=1&b=%20'
    const { status, headers, body } = await world.get('site.test', path, {
      'x-custom-name': 'value',
      proxy: 'http://evil.test',
      x_custom_name: 'spoofed',
      'x-forwarded-for': '1.2.3.4',
      cookie: 'a=1; b=2',
    })
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(headers['x-slipway-project']).toBe('site')
    const variables = JSON.parse(body)
    expect(variables).toMatchObject({
      REQUEST_METHOD: 'GET',
      REQUEST_URI: path,
      QUERY_STRING: 'a=1&b=%20',
      DOCUMENT_ROOT: '/app',
      SCRIPT_FILENAME: '/app/index.php',
      SCRIPT_NAME: '/index.php',
      SERVER_NAME: 'site.test',
      REMOTE_ADDR: '127.0.0.1',
      HTTP_HOST: 'site.test',
      HTTP_X_CUSTOM_NAME: 'value',
      HTTP_X_FORWARDED_FOR: '127.0.0.1',
      HTTP_COOKIE: 'a=1; b=2',
    })
    expect(variables).not.toHaveProperty('HTTP_PROXY')
    expect(variables).not.toHaveProperty('HTTPS')
  })

  it('gets the rest of the path after a file, and sends status, headers and cookies', async () => {
    const world = await withPhpFpm({
      'page.php': `<?php http_response_code(418); setcookie('a', '1', ['domain' => 'test']);
        setcookie('b', '2'); header('X-Slipway-Project: other'); echo $_SERVER['PATH_INFO'];`,
    })
    const { status, headers, body } = await world.get('site.test', '/page.php/2026/11')
    expect([status, body, headers['x-slipway-project']]).toEqual([418, '/2026/11', 'site'])
    expect(headers['set-cookie']).toEqual([expect.not.stringContaining('domain'), 'b=2'])
  })

  it('reads every upload byte for byte, of any size', async () => {
    const world = await withPhpFpm({
      'index.php': '<?php echo hash("sha256", file_get_contents("php://input"));',
    })
    const sizes = fc.oneof(
      fc.nat({ max: 100 }),
      fc.constantFrom(65_534, 65_535, 65_536, 131_071, 3_000_000),
    )
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const body = Buffer.alloc(size, 'slipway')
        const received = await send(world.port, '/', body)
        expect([received.status, String(received.body)]).toEqual([200, digestOf(body)])
      }),
      { numRuns: 25 },
    )
  })

  it('sends a response of any size byte for byte, no faster than it is read', async () => {
    const world = await withPhpFpm({
      'index.php': '<?php for ($i = 0; $i < 1024; $i++) echo str_repeat("slipway ", 8192);',
    })
    const { outgoing, response } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of (await response) as AsyncIterable<Buffer>) {
      hash.update(part)
      bytes += part.length
    }
    expect(bytes).toBe(64 * 2 ** 20)
    expect(hash.digest('hex')).toBe(digestOf(Buffer.alloc(bytes, 'slipway ')))
  })

  it('a program that does not read an upload still responds', async () => {
    const world = await withPhpFpm({ 'index.php': '<?php http_response_code(403); echo "no";' })
    expect(await send(world.port, '/', Buffer.alloc(20_000_000))).toEqual({
      status: 403,
      body: Buffer.from('no'),
    })
  })

  it('a program that fails responds with 500, and only its own log has the error', async () => {
    const world = await withPhpFpm({ 'index.php': '<?php missing_function();' })
    expect((await world.get('site.test')).status).toBe(500)
    expect(world.errors.join()).toContain('undefined function missing_function()')
    expect(JSON.stringify(world.lines)).not.toContain('missing_function')
  })

  it('a program that exits in the middle of its response breaks the connection', async () => {
    const world = await withPhpFpm({
      'index.php': `<?php header('Content-Length: 1000'); echo str_repeat('a', 500); flush();
        posix_kill(getmypid(), SIGKILL);`,
    })
    await expect(world.get('site.test')).rejects.toThrow()
  })

  it('frees its worker when the visitor leaves', async () => {
    const world = await withPhpFpm(
      {
        'slow.php': '<?php while (!connection_aborted()) { echo str_repeat("a", 65536); flush(); }',
        'index.php': '<?php echo "free";',
      },
      1,
    )
    const { outgoing, response } = openRequest(world.port, 'GET', '/slow.php')
    outgoing.on('error', () => undefined)
    outgoing.end()
    await once(await response, 'data')
    outgoing.destroy()
    expect((await world.get('site.test')).body).toBe('free')
  })

  it('responds to HEAD without a body, and again on the same connection', async () => {
    const world = await withPhpFpm({
      'index.php': '<?php header("Content-Length: 5"); echo "hello";',
    })
    const text = await world.raw(
      'HEAD / HTTP/1.1\r\nHost: site.test\r\n\r\nGET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n',
    )
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(text.endsWith('\r\n\r\nhello')).toBe(true)
  })
})

describe.skipIf(process.platform !== 'linux')('the files of a PHP site', () => {
  it('are sent without its program, from the release and from its uploads', async () => {
    const world = await withRelease({ 'index.php': '<?php', 'site.css': 'body{}' })
    const uploads = join(world.folder, 'site-data/uploads')
    await mkdir(uploads, { recursive: true })
    await writeFile(join(uploads, 'cat.jpg'), 'a picture')
    expect((await world.get('site.test', '/site.css')).body).toBe('body{}')
    const { headers, body } = await world.get('site.test', '/uploads/cat.jpg')
    expect([headers['content-type'], body]).toEqual(['image/jpeg', 'a picture'])
    const part = await world.get('site.test', '/uploads/cat.jpg', { range: 'bytes=2-4' })
    expect([part.status, part.body]).toEqual([206, 'pic'])
    const etag = String(headers.etag)
    expect(
      (await world.get('site.test', '/uploads/cat.jpg', { 'if-none-match': etag })).status,
    ).toBe(304)
  })

  it('are not sent through links to other folders, and a named pipe blocks nothing', async () => {
    const world = await withRelease({ 'page.php': '<?php' })
    const data = join(world.folder, 'site-data')
    await mkdir(data)
    await writeFile(join(world.folder, 'secret.txt'), 'secret')
    await symlink(world.folder, join(data, 'uploads'))
    expect((await world.get('site.test', '/uploads/secret.txt')).status).toBe(404)

    const otherRelease = await withRelease({ 'page.php': '<?php' })
    const uploads = join(otherRelease.folder, 'site-data/uploads')
    await mkdir(uploads, { recursive: true })
    await symlink('/etc/passwd', join(uploads, 'passwd.txt'))
    await symlink('/etc', join(uploads, 'etc'))
    execFileSync('mkfifo', [join(uploads, 'pipe.txt')])
    for (const name of ['passwd.txt', 'etc/passwd', 'pipe.txt'])
      expect((await otherRelease.get('site.test', `/uploads/${name}`)).status).toBe(404)
  })

  it('have redirects to their folders that a browser revalidates', async () => {
    const world = await withRelease({ 'index.php': '<?php', 'docs/index.html': 'x' })
    const { status, headers } = await world.get('site.test', '/docs')
    expect([status, headers.location, headers['cache-control']]).toEqual([
      301,
      '/docs/',
      'public, max-age=0, must-revalidate',
    ])
  })

  it('do not accept POST', async () => {
    const world = await withRelease({ 'index.php': '<?php', 'site.css': 'body{}' })
    expect((await send(world.port, '/site.css', Buffer.from('a'))).status).toBe(405)
  })
})

describe('a hostile FastCGI program', () => {
  /** A gateway whose site is this program. */
  async function withProgram(
    onConnection: (socket: Socket) => void,
    timeouts: Pick<GatewayOptions, 'responseTimeoutMs' | 'phpTimeoutMs'> = {},
  ) {
    const world = await withRelease({ 'index.php': '<?php' }, timeouts)
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      onConnection(socket)
    })
    server.listen(join(world.folder, 'site'))
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return world
  }

  const record = (type: number, text: string | Buffer) => {
    const content = Buffer.from(text)
    const head = Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0])
    return Buffer.concat([head, content])
  }
  const [stdout, end] = [6, record(3, Buffer.alloc(8))]
  const overloaded = record(3, Buffer.from([0, 0, 0, 0, 2, 0, 0, 0]))

  it.each([
    ['sends noise', [Buffer.from('HTTP/1.1 200 OK\r\n\r\n')], 502],
    ['sends no headers', [record(stdout, 'no header'), end], 502],
    ['ends without a response', [end], 502],
    ['sends an invalid header', [record(stdout, 'X A: b\n\n'), end], 502],
    ['splits a header', [record(stdout, 'X-A: b\rSet-Cookie: c\n\n'), end], 502],
    ['is overloaded', [overloaded], 503],
    ['sends endless headers', Array(40).fill(record(stdout, 'a'.repeat(2_000))), 502],
  ])('a visitor gets an error page if the program %s', async (_what, records, status) => {
    const world = await withProgram((socket) => socket.end(Buffer.concat(records)))
    expect((await world.get('site.test')).status).toBe(status)
  })

  it.each([
    ['fewer', 'Content-Length: 9\n\nshort'],
    ['more', 'Content-Length: 2\n\nlonger'],
  ])('a response of %s bytes than announced breaks the connection', async (_what, text) => {
    const world = await withProgram((socket) => {
      socket.write(Buffer.concat([record(stdout, text), end]))
    })
    await expect(world.get('site.test')).rejects.toThrow()
  })

  it('a program that never responds gives 504 after the timeout', async () => {
    const world = await withProgram(() => undefined, { phpTimeoutMs: 50 })
    expect((await world.get('site.test')).status).toBe(504)
  })

  it('a program may take longer for a response than a site that is no PHP site', async () => {
    const world = await withProgram(
      (socket) => {
        setTimeout(() => socket.end(Buffer.concat([record(stdout, 'X-A: b\n\nhello'), end])), 200)
      },
      { responseTimeoutMs: 50 },
    )
    expect((await world.get('site.test')).body).toBe('hello')
  })

  it('a closed connection repeats a safe request, but no upload', async () => {
    let connections = 0
    const world = await withProgram((socket) => {
      connections++
      if (connections === 1) socket.destroy()
      else socket.end(Buffer.concat([record(stdout, 'X-A: b\n\nhello'), end]))
    })
    expect((await world.get('site.test')).body).toBe('hello')
    expect(connections).toBe(2)

    let uploads = 0
    const otherWorld = await withProgram((socket) => {
      uploads++
      socket.destroy()
    })
    expect((await send(otherWorld.port, '/', Buffer.from('a'))).status).toBe(502)
    expect(uploads).toBe(1)
  })

  it('gets no upload of unknown size', async () => {
    const world = await withProgram((socket) => socket.destroy())
    const outgoing = request({ port: world.port, method: 'POST', headers: { host: 'site.test' } })
    outgoing.write('a')
    outgoing.end()
    const [response] = await once(outgoing, 'response')
    response.resume()
    expect(response.statusCode).toBe(411)
  })

  it('a program without a socket is shown as unavailable, or as starting', async () => {
    const world = await withRelease({ 'index.php': '<?php' })
    expect((await world.get('site.test')).body).toContain('temporarily unavailable')
    const route = world.routes.get('site.test')
    if (route) world.routes.set('site.test', { ...route, state: 'starting' })
    expect((await world.get('site.test')).body).toContain('is starting')
  })

  it('a new pod gets the requests that have waited for it', async () => {
    const world = await withRelease({ 'index.php': '<?php' })
    const host = '127.0.0.1'
    world.addresses.set('site', { host, port: await freePort() })
    const responses = [
      world.get('site.test').then(({ body }) => body),
      send(world.port, '/', Buffer.from('a')).then(({ body }) => body.toString()),
      // Without the wait the file would look missing, and index.php would respond.
      world.get('site.test', '/uploads/picture.png').then(({ body }) => body),
    ]
    // Longer than a request needs to find that no pod accepts it.
    expect(await Promise.race([...responses, sleep(300, 'waiting')])).toBe('waiting')
    const server = createServer((socket) => {
      socket.once('data', (request) => {
        const body = request.includes('/slipway/send-file.php') ? 'picture' : 'hello'
        socket.end(Buffer.concat([record(stdout, `X-A: b\n\n${body}`), end]))
      })
    })
    server.listen(0, host)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    world.addresses.set('site', { host, port: (server.address() as AddressInfo).port })
    expect(await Promise.all(responses)).toEqual(['hello', 'hello', 'picture'])
  })

  it('a site without a pod is unavailable rather than not found: the file may exist', async () => {
    const world = await withRelease({ 'page.php': '<?php' }, { replacementMs: 100 })
    world.addresses.set('site', { host: '127.0.0.1', port: await freePort() })
    const picture = async () => (await world.get('site.test', '/uploads/picture.png')).body
    expect(await picture()).toContain('temporarily unavailable')
    const route = world.routes.get('site.test')
    if (route) world.routes.set('site.test', { ...route, state: 'starting' })
    expect(await picture()).toContain('is starting')
  })

  it('a pod gets no request of a visitor who left while the gateway looked for a file', async () => {
    const visitorLeft = Promise.withResolvers<void>()
    const world = await withRelease(
      { 'index.php': '<?php' },
      { onRequest: () => visitorLeft.resolve() },
    )
    const connections: Socket[] = []
    const server = createServer((socket) => {
      connections.push(socket.resume())
      if (connections.length > 1)
        socket.end(Buffer.concat([record(stdout, 'X-A: b\n\nhello'), end]))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    world.addresses.set('site', {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
    })
    const { outgoing, response } = openRequest(world.port, 'GET', '/uploads/picture.png')
    void response.catch(() => undefined)
    outgoing.end()
    const [lookup] = await once(server, 'connection')
    outgoing.destroy()
    await visitorLeft.promise
    lookup.end(Buffer.concat([record(stdout, 'Status: 200\n\n'), end]))
    await once(lookup, 'close')
    expect((await world.get('site.test')).body).toBe('hello')
    expect(connections).toHaveLength(2)
  })

  it('may respond with any bytes: the gateway keeps serving', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
    const pieces = fc.array(
      fc.oneof(
        bytes,
        bytes.map((content) => record(stdout, content)),
        bytes.map((content) => record(7, content)),
        fc.constant(record(stdout, 'X-A: b\r\n\r\n')),
        fc.constant(end),
      ),
      { maxLength: 8 },
    )
    let response = Buffer.alloc(0)
    const world = await withProgram((socket) => socket.end(response))
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        response = Buffer.concat(parts)
        const { status } = await world.get('site.test').catch(() => ({ status: 0 }))
        expect([0, 200, 502, 503]).toContain(status)
      }),
      { numRuns: 200 },
    )
  })
})

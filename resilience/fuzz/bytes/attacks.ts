import fc from 'fast-check'

/** Which port, and for whom: the API's own host, a site, or no host that exists. */
export type Door = 'api' | 'gateway'

/** Bytes on one connection: parts that are written with pauses, and how the client ends. */
export type Attack = {
  door: Door
  name: string
  parts: string[]
  /** Milliseconds between the parts. */
  pause: number
  /** `half`: sends FIN and reads on; `reset`: closes without reading. */
  end: 'none' | 'half' | 'reset'
  /** A server responds at once; or it may wait for the rest until its own timeout. */
  complete: boolean
}

/** Stands for the host of the door, which is known when the attack is sent. */
export const hostPlaceholder = '{host}'

const crlf = '\r\n'
/** Response to it would mean that the rest of a body was read as a request. */
export const smuggledPath = '/smuggled-zq'
const smuggled = `GET ${smuggledPath} HTTP/1.1${crlf}Host: {host}${crlf}${crlf}`

const pathOf = (door: Door) => (door === 'api' ? '/api/guest/captcha/challenge' : '/')

const get = (door: Door, headers: readonly string[] = [], line?: string) =>
  `${[line ?? `GET ${pathOf(door)} HTTP/1.1`, 'Host: {host}', ...headers].join(crlf)}${crlf}${crlf}`

const post = (door: Door, headers: readonly string[], body: string) =>
  get(door, headers, `POST ${door === 'api' ? '/api/auth/email/login' : '/'} HTTP/1.1`) + body

/** Request lines that are broken or unusual. */
const requestLines = (door: Door) => [
  'GET',
  'GET /',
  'GET  / HTTP/1.1',
  'GET / HTTP/1.1 x',
  'GET / HTTP/0.9',
  'GET / HTTP/1.2',
  'GET / HTTP/2.0',
  'GET / HTTP/9999999999.1',
  'PRI * HTTP/2.0',
  '\x16\x03\x01\x02\x00\x01\x00',
  'get / HTTP/1.1',
  'FOO / HTTP/1.1',
  `${'A'.repeat(5_000)} / HTTP/1.1`,
  `GET /${'a'.repeat(30_000)} HTTP/1.1`,
  'GET http://example.com/ HTTP/1.1',
  'GET http://{host}/ HTTP/1.1',
  'GET //example.com/ HTTP/1.1',
  'GET /%00 HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET /\xff\xfe HTTP/1.1',
  'GET /../../etc/passwd HTTP/1.1',
  'GET /a b HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT {host} HTTP/1.1',
  'CONNECT 127.0.0.1:22 HTTP/1.1',
  `TRACE ${pathOf(door)} HTTP/1.1`,
  `HEAD ${pathOf(door)} HTTP/1.1`,
  `DELETE ${pathOf(door)} HTTP/1.1`,
  `QUERY ${pathOf(door)} HTTP/1.1`,
  '\0\0\0\0',
  '\r\n\r\nGET / HTTP/1.1',
]

const hostHeaders = [
  [],
  ['Host: {host}', 'Host: example.com'],
  ['Host: '],
  ['Host: {host}:99999'],
  ['Host: {host}@example.com'],
  ['Host: exa mple.com'],
  ['Host: \xff'],
  ['Host: [::1'],
  [`Host: ${'a.'.repeat(2_000)}localhost`],
  ['Host : {host}'],
  [' Host: {host}'],
  ['X: a', ' folded: b', 'Host: {host}'],
]

const extraHeaders = [
  ['Connection: close'],
  ['Connection: Upgrade', 'Upgrade: x'],
  ['Connection: Upgrade', 'Upgrade: websocket'],
  [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['Connection: keep-alive, close, host'],
  ['Connection: Host'],
  ['Connection: Content-Length, Transfer-Encoding'],
  ['Expect: 100-continue'],
  ['Expect: 200-ok'],
  ['X-Forwarded-For: 10.0.0.1', 'Forwarded: for=x;host=y;proto=z'],
  ['TE: trailers, deflate'],
  ['Trailer: Authorization'],
  ['Cookie: a=b', `Cookie: ${'c'.repeat(5_000)}=d`],
  [`X: ${'y'.repeat(15_000)}`],
  [`X: ${'y'.repeat(70_000)}`],
  Array.from({ length: 99 }, (_, number) => `X-${number}: y`),
  Array.from({ length: 3_000 }, (_, number) => `X${number}: y`),
  ['X: a\0b'],
  ['X: a\rb'],
  ['X\u0085: b'],
  [': b'],
  ['X'],
  ['__proto__: a', 'constructor: b'],
  ['Range: bytes=0-,0-,0-'],
  ['Accept-Encoding: gzip;q=0, *;q=0'],
  ['Authorization: Bearer \x80'],
]

/** Bodies whose length is ambiguous (RFC 9112 §6.3), each with a second request in them. */
const ambiguous = (door: Door) => [
  post(door, ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0${crlf}${crlf}${smuggled}`),
  post(
    door,
    [`Content-Length: ${smuggled.length}`, 'Transfer-Encoding: chunked'],
    `0${crlf}${crlf}${smuggled}`,
  ),
  post(door, ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'], `0${crlf}${crlf}${smuggled}`),
  post(door, ['Transfer-Encoding: chunked, x'], `0${crlf}${crlf}${smuggled}`),
  post(door, ['Transfer-Encoding: \x0bchunked'], `0${crlf}${crlf}${smuggled}`),
  post(door, ['Transfer-Encoding : chunked'], `0${crlf}${crlf}${smuggled}`),
  post(door, ['Transfer-Encoding:\n chunked'], `0${crlf}${crlf}${smuggled}`),
  post(door, ['Content-Length: 0', 'Content-Length: 44'], smuggled),
  post(door, ['Content-Length: 0, 44'], smuggled),
  post(door, ['Content-Length: +0'], smuggled),
  post(door, ['Content-Length: -1'], smuggled),
  post(door, ['Content-Length: 0x0'], smuggled),
  post(door, ['Content-Length: 18446744073709551616'], smuggled),
  post(door, ['content-length:'], smuggled),
]

/** Errors in a chunked body (RFC 9112 §7.1). */
const chunkErrors = [
  `g${crlf}abc${crlf}0${crlf}${crlf}`,
  `-1${crlf}abc${crlf}`,
  `3${crlf}abcd${crlf}0${crlf}${crlf}`,
  `3\nabc\n0\n\n`,
  `ffffffffffffffffff${crlf}abc${crlf}`,
  `3;${'a'.repeat(20_000)}${crlf}abc${crlf}0${crlf}${crlf}`,
  `3;a="${crlf}"${crlf}abc${crlf}0${crlf}${crlf}`,
  `3${crlf}abc${crlf}0${crlf}X: ${'y'.repeat(70_000)}${crlf}${crlf}`,
  `3${crlf}abc${crlf}0${crlf}Content-Length: 9${crlf}Host: example.com${crlf}${crlf}`,
]

const whole = (door: Door, name: string, texts: readonly string[]): fc.Arbitrary<Attack> =>
  fc.record({
    door: fc.constant(door),
    name: fc.constant(name),
    parts: fc.constantFrom(...texts).map((text) => [text]),
    pause: fc.constant(0),
    end: fc.constantFrom<Attack['end'][]>('none', 'half', 'reset'),
    complete: fc.constant(true),
  })

/** Splits text into parts at random places. */
const inParts = (text: string) =>
  fc.array(fc.nat(text.length), { maxLength: 5 }).map((places) => {
    const cuts = [0, ...places.sort((one, other) => one - other), text.length]
    return cuts.slice(1).map((end, place) => text.slice(cuts[place], end))
  })

const unfinished = (door: Door, text: string): fc.Arbitrary<Attack> =>
  fc.record({
    door: fc.constant(door),
    name: fc.constant('a request that is never complete'),
    parts: inParts(text),
    pause: fc.constantFrom(0, 5, 40),
    end: fc.constantFrom<Attack['end'][]>('none', 'half', 'reset'),
    complete: fc.constant(false),
  })

const attacksOn = (door: Door): fc.Arbitrary<Attack>[] => [
  whole(
    door,
    'a broken request line',
    requestLines(door).map((line) => get(door, [], line)),
  ),
  whole(
    door,
    'broken hosts',
    hostHeaders.map(
      (headers) => `${[`GET ${pathOf(door)} HTTP/1.1`, ...headers].join(crlf)}${crlf}${crlf}`,
    ),
  ),
  whole(
    door,
    'unusual headers',
    extraHeaders.map((headers) => get(door, headers)),
  ),
  whole(door, 'an ambiguous body', ambiguous(door)),
  fc.tuple(whole(door, 'a broken chunk', chunkErrors), fc.boolean()).map(([attack, typed]) => ({
    ...attack,
    parts: [
      post(
        door,
        ['Transfer-Encoding: chunked', ...(typed ? ['Content-Type: application/json'] : [])],
        attack.parts.join(''),
      ),
    ],
    // A server may wait for the rest of a chunk that claims to be longer.
    complete: false,
  })),
  fc
    .tuple(
      whole(door, 'pipelined requests', [get(door)]),
      fc.integer({ min: 2, max: 60 }),
      fc.constantFrom(...requestLines(door)),
    )
    .map(([attack, count, last]) => ({
      ...attack,
      parts: [get(door).repeat(count) + get(door, [], last)],
    })),
  fc
    .constantFrom(
      get(door).slice(0, -2),
      get(door, ['Transfer-Encoding: chunked']),
      post(door, ['Content-Length: 500', 'Content-Type: application/json'], '{"email":"'),
      post(door, ['Transfer-Encoding: chunked'], `5${crlf}ab`),
      post(door, ['Expect: 100-continue', 'Content-Length: 10'], ''),
    )
    .chain((text) => unfinished(door, text)),
  // The same text with a few bytes changed.
  fc
    .tuple(
      fc.constantFrom(get(door), post(door, ['Content-Length: 2'], '{}')),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      whole(door, 'changed bytes', ['']),
    )
    .map(([text, changes, attack]) => {
      const bytes = Buffer.from(text, 'latin1')
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte
      // A server may wait for the rest of a body that claims to be longer.
      return { ...attack, parts: [bytes.toString('latin1')], complete: false }
    }),
]

/** One to thirty attacks, on connections of their own at once. */
export const attacks = fc.array(fc.oneof(...attacksOn('api'), ...attacksOn('gateway')), {
  minLength: 1,
  maxLength: 30,
})

import fc from 'fast-check'

/** The port that is attacked: the API's, or the site gateway's with the host of a site. */
export type Listener = 'api' | 'gateway'

/** Bytes on one connection: parts that are written with pauses, and how the client ends. */
export type Attack = {
  listener: Listener
  name: string
  parts: string[]
  /** Milliseconds between the parts. */
  pause: number
  /** `half`: sends FIN and continues to read; `reset`: closes without reading. */
  end: 'none' | 'half' | 'reset'
  /** True for a request that the server must respond to at once; false if it may wait for more. */
  complete: boolean
}

// The host is known when the attack is sent, and with it the length of a body.
const hostPlaceholder = '{host}'
const bodyLengthPlaceholder = '{bodyLength}'

/** A part with its host, and with the length of the body that follows its headers. */
export function fillPlaceholders(part: string, host: string): string {
  const text = part.replaceAll(hostPlaceholder, host)
  const bodyLength = text.length - (text.indexOf(crlf + crlf) + 4)
  return text.replaceAll(bodyLengthPlaceholder, String(bodyLength))
}

/** The characters of a text. A placeholder is one of them, so that it is not cut or changed. */
const charactersOf = (text: string) =>
  text.match(new RegExp(`${hostPlaceholder}|${bodyLengthPlaceholder}|[^]`, 'g')) ?? []

const crlf = '\r\n'
/** A response to this path means that the rest of a body was read as a request. */
export const smuggledPath = '/smuggled-zq'
const smuggled = `GET ${smuggledPath} HTTP/1.1${crlf}Host: ${hostPlaceholder}${crlf}${crlf}`

const pathOf = (listener: Listener) => (listener === 'api' ? '/api/guest/captcha/challenge' : '/')

const get = (listener: Listener, headers: readonly string[] = [], line?: string) =>
  `${[line ?? `GET ${pathOf(listener)} HTTP/1.1`, `Host: ${hostPlaceholder}`, ...headers].join(crlf)}${crlf}${crlf}`

const post = (listener: Listener, headers: readonly string[], body: string) =>
  get(listener, headers, `POST ${listener === 'api' ? '/api/auth/email/login' : '/'} HTTP/1.1`) +
  body

/** Request lines that are broken or unusual. */
const requestLines = (listener: Listener) => [
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
  `GET http://${hostPlaceholder}/ HTTP/1.1`,
  'GET //example.com/ HTTP/1.1',
  'GET /%00 HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET /\xff\xfe HTTP/1.1',
  'GET /../../etc/passwd HTTP/1.1',
  'GET /a b HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  `CONNECT ${hostPlaceholder} HTTP/1.1`,
  'CONNECT 127.0.0.1:22 HTTP/1.1',
  `TRACE ${pathOf(listener)} HTTP/1.1`,
  `HEAD ${pathOf(listener)} HTTP/1.1`,
  `DELETE ${pathOf(listener)} HTTP/1.1`,
  `QUERY ${pathOf(listener)} HTTP/1.1`,
  '\0\0\0\0',
  '\r\n\r\nGET / HTTP/1.1',
]

const hostHeaders = [
  [],
  [`Host: ${hostPlaceholder}`, 'Host: example.com'],
  ['Host: '],
  [`Host: ${hostPlaceholder}:99999`],
  [`Host: ${hostPlaceholder}@example.com`],
  ['Host: exa mple.com'],
  ['Host: \xff'],
  ['Host: [::1'],
  [`Host: ${'a.'.repeat(2_000)}localhost`],
  [`Host : ${hostPlaceholder}`],
  [` Host: ${hostPlaceholder}`],
  ['X: a', ' folded: b', `Host: ${hostPlaceholder}`],
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
const ambiguousBodies = (listener: Listener) => [
  post(listener, ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0${crlf}${crlf}${smuggled}`),
  post(
    listener,
    [`Content-Length: ${bodyLengthPlaceholder}`, 'Transfer-Encoding: chunked'],
    `0${crlf}${crlf}${smuggled}`,
  ),
  post(
    listener,
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'],
    `0${crlf}${crlf}${smuggled}`,
  ),
  post(listener, ['Transfer-Encoding: chunked, x'], `0${crlf}${crlf}${smuggled}`),
  post(listener, ['Transfer-Encoding: \x0bchunked'], `0${crlf}${crlf}${smuggled}`),
  post(listener, ['Transfer-Encoding : chunked'], `0${crlf}${crlf}${smuggled}`),
  post(listener, ['Transfer-Encoding:\n chunked'], `0${crlf}${crlf}${smuggled}`),
  post(listener, ['Content-Length: 0', `Content-Length: ${bodyLengthPlaceholder}`], smuggled),
  post(listener, [`Content-Length: 0, ${bodyLengthPlaceholder}`], smuggled),
  post(listener, ['Content-Length: +0'], smuggled),
  post(listener, ['Content-Length: -1'], smuggled),
  post(listener, ['Content-Length: 0x0'], smuggled),
  post(listener, ['Content-Length: 18446744073709551616'], smuggled),
  post(listener, ['content-length:'], smuggled),
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

/** An attack on a listener. The server must respond to it at once, unless `complete` is false. */
const attack = (
  listener: Listener,
  name: string,
  parts: fc.Arbitrary<string[]>,
  { pauses = [0], complete = true }: { pauses?: number[]; complete?: boolean } = {},
): fc.Arbitrary<Attack> =>
  fc.record({
    listener: fc.constant(listener),
    name: fc.constant(name),
    parts,
    pause: fc.constantFrom(...pauses),
    end: fc.constantFrom<Attack['end'][]>('none', 'half', 'reset'),
    complete: fc.constant(complete),
  })

const oneOf = (texts: readonly string[]) => fc.constantFrom(...texts).map((text) => [text])

/** Splits text into parts at random positions. */
function inParts(text: string) {
  const characters = charactersOf(text)
  return fc.array(fc.nat(characters.length), { maxLength: 5 }).map((positions) => {
    const cuts = [0, ...positions.sort((one, other) => one - other), characters.length]
    return cuts.slice(1).map((end, index) => characters.slice(cuts[index], end).join(''))
  })
}

const attacksOn = (listener: Listener): fc.Arbitrary<Attack>[] => [
  attack(
    listener,
    'a broken request line',
    oneOf(requestLines(listener).map((line) => get(listener, [], line))),
  ),
  attack(
    listener,
    'broken hosts',
    oneOf(
      hostHeaders.map(
        (headers) => `${[`GET ${pathOf(listener)} HTTP/1.1`, ...headers].join(crlf)}${crlf}${crlf}`,
      ),
    ),
  ),
  attack(listener, 'unusual headers', oneOf(extraHeaders.map((headers) => get(listener, headers)))),
  attack(listener, 'an ambiguous body', oneOf(ambiguousBodies(listener))),
  attack(
    listener,
    'a broken chunk',
    fc
      .tuple(fc.constantFrom(...chunkErrors), fc.boolean())
      .map(([body, hasContentType]) => [
        post(
          listener,
          [
            'Transfer-Encoding: chunked',
            ...(hasContentType ? ['Content-Type: application/json'] : []),
          ],
          body,
        ),
      ]),
    // A server may wait for the rest of a chunk that claims to be longer.
    { complete: false },
  ),
  attack(
    listener,
    'pipelined requests',
    fc
      .tuple(fc.integer({ min: 2, max: 60 }), fc.constantFrom(...requestLines(listener)))
      .map(([count, last]) => [get(listener).repeat(count) + get(listener, [], last)]),
  ),
  attack(
    listener,
    'a request that is never complete',
    fc
      .constantFrom(
        get(listener).slice(0, -2),
        get(listener, ['Transfer-Encoding: chunked']),
        post(listener, ['Content-Length: 500', 'Content-Type: application/json'], '{"email":"'),
        post(listener, ['Transfer-Encoding: chunked'], `5${crlf}ab`),
        post(listener, ['Expect: 100-continue', 'Content-Length: 10'], ''),
      )
      .chain(inParts),
    { pauses: [0, 5, 40], complete: false },
  ),
  attack(
    listener,
    'changed bytes',
    fc
      .tuple(
        fc.constantFrom(get(listener), post(listener, ['Content-Length: 2'], '{}')),
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      )
      .map(([text, changes]) => {
        const characters = charactersOf(text)
        for (const [position, byte] of changes)
          characters[position % characters.length] = String.fromCharCode(byte)
        return [characters.join('')]
      }),
    // A server may wait for the rest of a body that claims to be longer.
    { complete: false },
  ),
]

/** One to thirty attacks, each on its own connection, at the same time. */
export const attacks = fc.array(fc.oneof(...attacksOn('api'), ...attacksOn('gateway')), {
  minLength: 1,
  maxLength: 30,
})

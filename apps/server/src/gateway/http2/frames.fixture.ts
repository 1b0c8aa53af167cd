/** Frames of HTTP/2 that Node's client would not send (RFC 9113 §4.1, §6). */

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

const types = {
  data: 0,
  headers: 1,
  settings: 4,
  ping: 6,
  windowUpdate: 8,
  continuation: 9,
} as const

export const flags = { endStream: 1, ack: 1, endHeaders: 4 } as const

export function frame(
  type: keyof typeof types,
  { flag = 0, stream = 0, payload = Buffer.alloc(0) }: Partial<FrameFields> = {},
) {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(types[type], 3)
  head.writeUInt8(flag, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

type FrameFields = { flag: number; stream: number; payload: Buffer }

/** A field that is neither indexed nor compressed (RFC 7541 §6.2.2). */
function field(name: string, value: string) {
  const length = (text: string) => {
    if (text.length < 127) return Buffer.from([text.length])
    const rest = text.length - 127
    // Three bytes of seven bits, as many as any length of a test needs.
    return Buffer.from([127, (rest & 127) | 128, ((rest >> 7) & 127) | 128, rest >> 14])
  }
  return Buffer.concat([
    Buffer.from([0]),
    length(name),
    Buffer.from(name, 'latin1'),
    length(value),
    Buffer.from(value, 'latin1'),
  ])
}

export const fields = (list: Record<string, string>) =>
  Buffer.concat(Object.entries(list).map(([name, value]) => field(name, value)))

export const getSite = fields({
  ':method': 'GET',
  ':scheme': 'https',
  ':authority': 'site.test',
  ':path': '/',
})

/** The request to `/` of `site.test`, whose headers and body end at once. */
export const wholeRequest = (stream: number) =>
  frame('headers', { flag: flags.endStream | flags.endHeaders, stream, payload: getSite })

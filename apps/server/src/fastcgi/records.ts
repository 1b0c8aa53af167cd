// FastCGI 1.0, https://fastcgi-archives.github.io/FastCGI_Specification.html. A connection has one
// request, whose id is always 1: php-fpm frees a worker when its connection ends.

/** The types of records that we write or read (§8). */
export const recordTypes = {
  beginRequest: 1,
  endRequest: 3,
  params: 4,
  stdin: 5,
  stdout: 6,
  stderr: 7,
} as const

const version = 1
const requestId = 1
const headerBytes = 8
const responder = 1
export const maxContentBytes = 65_535

/** The program sent invalid FastCGI, or more than the limits allow. */
export class FastCgiError extends Error {
  override readonly name = 'FastCgiError'
}

function header(type: number, contentLength: number, paddingLength: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes[0] = version
  bytes[1] = type
  bytes.writeUInt16BE(requestId, 2)
  bytes.writeUInt16BE(contentLength, 4)
  bytes[6] = paddingLength
  return bytes
}

/** Records of one type for any content; none for empty content, which ends a stream. */
export function writeRecords(type: number, content: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let start = 0; start < content.length; start += maxContentBytes) {
    const part = content.subarray(start, start + maxContentBytes)
    parts.push(header(type, part.length, 0), part)
  }
  return parts
}

/** Ends a stream of records (§3.3). */
export const endOfStream = (type: number): Buffer => header(type, 0, 0)

/** Begins a request whose connection the program closes after its response (§5.1). */
export function beginRequest(): Buffer {
  const content = Buffer.alloc(8)
  content.writeUInt16BE(responder, 0)
  return Buffer.concat([header(recordTypes.beginRequest, content.length, 0), content])
}

/** A length is one byte below 128, and four bytes with the highest bit set from there (§3.4). */
function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE((length | 0x80_00_00_00) >>> 0)
  return bytes
}

/** Names and values as the content of a PARAMS stream. */
export function encodePairs(pairs: Iterable<readonly [string, string]>): Buffer {
  const parts: Buffer[] = []
  for (const [name, value] of pairs) {
    // Node reads header bytes as Latin-1; this gives the program the bytes that were sent.
    const [nameBytes, valueBytes] = [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')]
    parts.push(lengthBytes(nameBytes.length), lengthBytes(valueBytes.length), nameBytes, valueBytes)
  }
  return Buffer.concat(parts)
}

/** How a request ended (§5.5). */
export type EndRequest = { appStatus: number; protocolStatus: number }

/** `protocolStatus` of a program without a free worker. */
export const overloaded = 2

export type RecordHandler = {
  onStdout(content: Buffer): void
  onStderr(content: Buffer): void
  onEnd(end: EndRequest): void
}

/**
 * Reads records from chunks of any size. Content is passed on as it arrives: a record is never
 * buffered whole. Throws a `FastCgiError` for a record that is no response to our request.
 */
export function createRecordReader(handler: RecordHandler): (chunk: Buffer) => void {
  const head = Buffer.alloc(headerBytes)
  const end = Buffer.alloc(8)
  let headLength = 0
  let endLength = 0
  let type = 0
  let contentLeft = 0
  let paddingLeft = 0
  let ended = false

  function readHead() {
    type = head[1] as number
    contentLeft = head.readUInt16BE(4)
    paddingLeft = head[6] as number
    if (head[0] !== version) throw new FastCgiError(`FastCGI version ${head[0]}`)
    if (head.readUInt16BE(2) !== requestId) throw new FastCgiError('a record of another request')
    if (ended) throw new FastCgiError('a record after the end of the request')
    if (type === recordTypes.endRequest) {
      if (contentLeft !== end.length) throw new FastCgiError(`an end of ${contentLeft} bytes`)
    } else if (type !== recordTypes.stdout && type !== recordTypes.stderr)
      throw new FastCgiError(`a record of type ${type}`)
  }

  function readContent(part: Buffer) {
    if (type === recordTypes.stdout) return handler.onStdout(part)
    if (type === recordTypes.stderr) return handler.onStderr(part)
    part.copy(end, endLength)
    endLength += part.length
    if (endLength < end.length) return
    ended = true
    handler.onEnd({ appStatus: end.readUInt32BE(0), protocolStatus: end[4] as number })
  }

  return (chunk) => {
    let position = 0
    while (position < chunk.length) {
      const rest = chunk.length - position
      if (headLength < headerBytes) {
        const length = Math.min(rest, headerBytes - headLength)
        chunk.copy(head, headLength, position, position + length)
        headLength += length
        position += length
        if (headLength === headerBytes) readHead()
      } else if (contentLeft > 0) {
        const length = Math.min(rest, contentLeft)
        contentLeft -= length
        const part = chunk.subarray(position, position + length)
        position += length
        readContent(part)
      } else {
        const length = Math.min(rest, paddingLeft)
        paddingLeft -= length
        position += length
      }
      if (headLength === headerBytes && contentLeft === 0 && paddingLeft === 0) headLength = 0
    }
  }
}

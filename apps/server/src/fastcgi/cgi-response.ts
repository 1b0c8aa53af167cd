import { validateHeaderName, validateHeaderValue } from 'node:http'
import { FastCgiError } from './records.ts'

/** The status and headers that a CGI program sends before its body (RFC 3875 §6). */
export type CgiHead = { status: number; headers: Record<string, string | string[]> }

const maxHeadBytes = 64 * 1024
const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/**
 * Splits a program's output into head and body. `push` returns null until the head is complete,
 * then the head with the first bytes of the body. Throws a `FastCgiError` for a malformed or too
 * long head. Each byte is read once, however small the chunks are.
 */
export function createHeadReader() {
  const chunks: Buffer[] = []
  let headBytes = 0
  let lineBytes = 0

  /** The index after the empty line that ends the head; -1 when it is not in the chunk. */
  function findEnd(chunk: Buffer): number {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]
      if (byte !== lineFeed) lineBytes += byte === carriageReturn ? 0 : 1
      else if (lineBytes === 0) return index + 1
      else lineBytes = 0
    }
    return -1
  }

  return {
    push(chunk: Buffer): { head: CgiHead; body: Buffer } | null {
      const end = findEnd(chunk)
      chunks.push(end === -1 ? chunk : chunk.subarray(0, end))
      headBytes += end === -1 ? chunk.length : end
      if (headBytes > maxHeadBytes) throw new FastCgiError('headers of more than 64 KiB')
      if (end === -1) return null
      const head = parseHead(Buffer.concat(chunks).toString('latin1').trimEnd())
      return { head, body: chunk.subarray(end) }
    },
  }
}

function parseHead(text: string): CgiHead {
  // Without a prototype, a header may have any name.
  const headers: Record<string, string | string[]> = Object.create(null)
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (colon === -1) throw new FastCgiError('a header without a colon')
    checkHeader(name, value)
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  const { status, ...others } = headers
  return { status: parseStatus(status, others.location !== undefined), headers: others }
}

function checkHeader(name: string, value: string) {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    throw new FastCgiError('a header with invalid characters')
  }
}

/** RFC 3875 §6.3.3; a Location without a status redirects (§6.2.3). */
function parseStatus(status: string | string[] | undefined, hasLocation: boolean): number {
  if (status === undefined) return hasLocation ? 302 : 200
  const [, code] = /^([2-5]\d\d)(?: |$)/.exec(String(status)) ?? []
  if (code === undefined) throw new FastCgiError('an invalid status')
  return Number(code)
}

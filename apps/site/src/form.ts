import type { IncomingMessage } from 'node:http'

const mostBytes = 1024 * 1024

export type FormProblem = 'unsupported' | 'too_large'

const formType = 'application/x-www-form-urlencoded'

/** The fields of a posted form, or why they cannot be read. Rejects when the visitor breaks off. */
export const readForm = async (
  request: IncomingMessage,
): Promise<URLSearchParams | FormProblem> => {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== formType) return 'unsupported'
  const chunks: Buffer[] = []
  let size = 0
  // Read to its end even when it is too large, but not kept: a visitor whose connection is cut while
  // they send never sees the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= mostBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > mostBytes) return 'too_large'
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/**
 * True when a form was sent by a page of this very origin. Browsers say where a POST comes from, and
 * pages cannot make them lie; one that says nothing is no browser's.
 */
export const isFromOrigin = ({ headers }: IncomingMessage, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  return headers.origin === undefined ? site === 'same-origin' : headers.origin === origin
}

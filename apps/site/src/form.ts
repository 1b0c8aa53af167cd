import type { IncomingMessage } from 'node:http'

const maxBytes = 1024 * 1024

export type FormProblem = 'unsupported' | 'too_large'

const formType = 'application/x-www-form-urlencoded'

/** The fields of a posted form, or the problem. Rejects when the visitor disconnects. */
export const readForm = async (
  request: IncomingMessage,
): Promise<URLSearchParams | FormProblem> => {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== formType) return 'unsupported'
  const chunks: Buffer[] = []
  let size = 0
  // A body that is too large is read to the end and discarded: a browser whose connection closes
  // while it sends never shows the response.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > maxBytes) return 'too_large'
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/**
 * True when a page of this origin sent the form. Browsers send the origin of a POST and pages
 * cannot forge it; requests without it are not from a browser.
 */
export const isFromOrigin = ({ headers }: IncomingMessage, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  return headers.origin === undefined ? site === 'same-origin' : headers.origin === origin
}

export type RawResponse = {
  status: number
  headers: Map<string, string>
  body: string
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/

/** Decodes a chunked body; undefined when it is not complete. */
function readChunks(text: string): { body: string; rest: string } | undefined {
  let body = ''
  let rest = text
  for (;;) {
    const [line, size] = /^([0-9a-f]+)(?:;[^\r\n]*)?\r\n/i.exec(rest) ?? []
    if (line === undefined || size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    rest = rest.slice(line.length)
    if (length === 0) {
      const end = rest.indexOf('\r\n')
      return end < 0 ? undefined : { body, rest: rest.slice(end + 2) }
    }
    if (rest.length < length + 2) return undefined
    body += rest.slice(0, length)
    rest = rest.slice(length + 2)
  }
}

/** True for the beginning of a response whose headers are not complete. */
const isTruncatedHead = (text: string) =>
  !text.includes('\r\n\r\n') && 'HTTP/1.1 '.startsWith(text.slice(0, 'HTTP/1.1 '.length))

/**
 * Reads all responses of a connection (RFC 9112 §6.3). Throws for bytes that are not a response.
 * The last may be truncated, because the client disconnected. `isHeadRequest` gets the index of a
 * request.
 */
export function readResponses(
  text: string,
  isHeadRequest: (index: number) => boolean,
): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = text
  while (rest !== '') {
    if (isTruncatedHead(rest)) return responses
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [first = '', ...lines] = head.split('\r\n')
    const [, status] = statusLine.exec(first) ?? []
    if (status === undefined)
      throw new Error(`no status line: ${JSON.stringify(first.slice(0, 200))}`)
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new Error(`a broken header: ${JSON.stringify(line.slice(0, 200))}`)
      headers.set(name.toLowerCase(), value)
    }
    const response = { status: Number(status), headers, body: '' }
    rest = rest.slice(head.length + '\r\n\r\n'.length)
    if (response.status === 101) return [...responses, response]
    if (response.status < 200) continue
    const empty =
      response.status === 204 || response.status === 304 || isHeadRequest(responses.length)
    const length = Number(headers.get('content-length') ?? 0)
    if (!empty && headers.get('transfer-encoding') === 'chunked') {
      const chunks = readChunks(rest)
      if (!chunks) return [...responses, { ...response, body: rest }]
      response.body = chunks.body
      rest = chunks.rest
    } else if (!empty) {
      response.body = rest.slice(0, length)
      rest = rest.slice(length)
    }
    responses.push(response)
  }
  return responses
}

import type { IncomingMessage } from 'node:http'
import { isForwarded, namedByConnection } from '../headers.ts'
import type { Target } from '../target.ts'

/** A PHP file to run, by its paths inside the sandbox. */
export type Script = {
  /** The folder of the site's address `/`. */
  documentRoot: string
  filename: string
  /** The part of the request's path that leads to the file. */
  name: string
  /** The rest of the path: empty, or from its slash on. */
  pathInfo: string
}

/**
 * The name of a header as a CGI variable (RFC 3875 §4.1.18); null for a dropped one. Drops names
 * with `_`, which would overwrite those with `-`; `Proxy`, which programs read as `HTTP_PROXY`
 * (https://httpoxy.org); and content headers, which have their own variables.
 */
function variableOf(name: string): string | null {
  if (!/^[a-z0-9-]+$/.test(name) || name === 'proxy') return null
  if (name === 'content-type' || name === 'content-length') return null
  return `HTTP_${name.toUpperCase().replaceAll('-', '_')}`
}

/** The variables of a request for a PHP program (RFC 3875 §4.1, and PHP's customary ones). */
export function requestParams(
  request: IncomingMessage,
  { authority, host, path, protocol, client }: Target,
  script: Script,
): [string, string][] {
  const { headers, socket } = request
  const queryStart = path.indexOf('?')
  const [, port = protocol === 'https' ? '443' : '80'] = /:(\d+)$/.exec(authority) ?? []
  const params: [string, string][] = [
    ['GATEWAY_INTERFACE', 'CGI/1.1'],
    ['SERVER_SOFTWARE', 'slipway'],
    ['SERVER_PROTOCOL', `HTTP/${request.httpVersion}`],
    ['SERVER_NAME', host],
    ['SERVER_PORT', port],
    ['REQUEST_METHOD', request.method ?? 'GET'],
    ['REQUEST_SCHEME', protocol],
    ['REQUEST_URI', path],
    ['QUERY_STRING', queryStart === -1 ? '' : path.slice(queryStart + 1)],
    ['DOCUMENT_ROOT', script.documentRoot],
    ['DOCUMENT_URI', script.name + script.pathInfo],
    ['SCRIPT_FILENAME', script.filename],
    ['SCRIPT_NAME', script.name],
    ['REMOTE_ADDR', client],
    ['REMOTE_PORT', String(socket.remotePort ?? 0)],
    ['CONTENT_TYPE', headers['content-type'] ?? ''],
    ['CONTENT_LENGTH', headers['content-length'] ?? ''],
    // PHP's CGI programs run nothing without it.
    ['REDIRECT_STATUS', '200'],
    ['HTTP_HOST', authority],
    ['HTTP_X_FORWARDED_FOR', client],
    ['HTTP_X_FORWARDED_HOST', authority],
    ['HTTP_X_FORWARDED_PROTO', protocol],
  ]
  if (script.pathInfo !== '') params.push(['PATH_INFO', script.pathInfo])
  if (protocol === 'https') params.push(['HTTPS', 'on'])
  const hopByHopHeaders = namedByConnection(headers.connection)
  for (const [name, value] of Object.entries(headers)) {
    const variable = variableOf(name)
    if (variable !== null && value !== undefined && isForwarded(name, hopByHopHeaders))
      params.push([variable, Array.isArray(value) ? value.join(', ') : value])
  }
  return params
}

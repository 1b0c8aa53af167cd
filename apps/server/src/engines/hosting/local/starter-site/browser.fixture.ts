import { request } from 'node:http'
import type { HttpReply } from '../../../../testing/http-get.ts'

type Cookie = { name: string; value: string; host: string; path: string; header: string }

export type Browser = {
  /** All cookies that were set and not cleared. */
  cookies: Cookie[]
  head(url: string): Promise<Page>
  get(url: string, headers?: Record<string, string>): Promise<Page>
  post(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>
  send(url: string, body: Buffer, headers: Record<string, string>): Promise<Page>
  /** Follows redirects to the first URL that `until` accepts, or to a page. */
  follow(url: string, until?: (url: URL) => boolean): Promise<Page>
}

export type Page = HttpReply & {
  url: URL
  /** The target of a redirect. */
  location: URL | null
  /** The value of a hidden form field. */
  hidden(name: string): string
}

const isSentTo = (url: URL, { host, path }: Cookie) =>
  url.host === host && (url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))

const readCookie = (header: string, url: URL): Cookie => {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
  const equals = pair.indexOf('=')
  const path = attributes.find((text) => text.toLowerCase().startsWith('path='))?.slice(5)
  return {
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    host: url.host,
    path: path ?? '/',
    header,
  }
}

const isCleared = ({ header }: Cookie) => /max-age=0|expires=Thu, 01 Jan 1970/i.test(header)

const unescapeHtml = (html: string) =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => {
    const characters: Record<string, string> = {
      '&amp;': '&',
      '&lt;': '<',
      '&gt;': '>',
      '&quot;': '"',
    }
    return characters[entity] ?? "'"
  })

const toPage = (url: URL, reply: HttpReply): Page => {
  const { location } = reply.headers
  return {
    ...reply,
    url,
    location: typeof location === 'string' ? new URL(location, url) : null,
    hidden(name) {
      const value = new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(reply.body)?.[1]
      if (value === undefined) throw new Error(`The page has no field ${name}:\n${reply.body}`)
      return unescapeHtml(value)
    },
  }
}

/**
 * A client with cookies that resolves every name under `localhost` to this machine. It follows
 * redirects only in `follow`.
 */
export const openBrowser = (): Browser => {
  const cookies: Cookie[] = []

  const store = (header: string, url: URL) => {
    const cookie = readCookie(header, url)
    const previous = cookies.findIndex(
      ({ name, host, path }) =>
        name === cookie.name && host === cookie.host && path === cookie.path,
    )
    if (previous >= 0) cookies.splice(previous, 1)
    if (!isCleared(cookie)) cookies.push(cookie)
  }

  const send = (
    url: URL,
    method: string,
    headers: Record<string, string>,
    body?: string | Buffer,
  ): Promise<Page> =>
    new Promise((resolve, reject) => {
      const cookie = cookies
        .filter((cookie) => isSentTo(url, cookie))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
      const outgoing = request({
        host: '127.0.0.1',
        port: url.port,
        path: url.pathname + url.search,
        method,
        headers: { host: url.host, ...(cookie ? { cookie } : {}), ...headers },
        agent: false,
      })
      outgoing.on('error', reject)
      outgoing.on('response', async (response) => {
        const bytes = Buffer.concat(await response.toArray())
        for (const header of response.headers['set-cookie'] ?? []) store(header, url)
        const { statusCode: status = 0, headers } = response
        resolve(toPage(url, { status, headers, body: bytes.toString('utf8'), bytes }))
      })
      outgoing.end(body)
    })

  const get: Browser['get'] = (url, headers = {}) => send(new URL(url), 'GET', headers)

  return {
    cookies,
    get,
    head: (url) => send(new URL(url), 'HEAD', {}),
    post(url, fields, headers = {}) {
      const to = new URL(url)
      const form = { 'content-type': 'application/x-www-form-urlencoded', origin: to.origin }
      return send(to, 'POST', { ...form, ...headers }, new URLSearchParams(fields).toString())
    },
    send: (url, body, headers) =>
      send(new URL(url), 'POST', { 'content-length': String(body.length), ...headers }, body),
    async follow(url, until = () => false) {
      for (let current = url, steps = 0; steps < 20; steps += 1) {
        const page = await get(current)
        if (!page.location || until(page.location)) return page
        current = page.location.href
      }
      throw new Error(`${url} redirects endlessly`)
    },
  }
}

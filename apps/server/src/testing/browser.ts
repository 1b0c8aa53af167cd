/** A response after all redirects. */
export type Visit = { url: URL; status: number; body: string; headers: Headers }

/** A client that stores cookies by path and follows redirects. */
export function createBrowser(options: { stopAt?: (url: URL) => boolean } = {}) {
  const cookies = new Map<string, { value: string; path: string }>()
  const setCookies: string[] = []

  function storeCookies(headers: Headers, url: URL) {
    for (const line of headers.getSetCookie()) {
      setCookies.push(line)
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const attribute = (name: string) =>
        attributes.find((each) => each.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)
      const expired =
        attribute('max-age') === '0' ||
        new Date(attribute('expires') ?? '2999-01-01').getTime() < Date.now()
      const path = attribute('path') ?? url.pathname.replace(/\/[^/]*$/, '/')
      if (expired) cookies.delete(`${path} ${name}`)
      else cookies.set(`${path} ${name}`, { value: pair, path })
    }
  }

  async function visit(address: string | URL, form?: Record<string, string>): Promise<Visit> {
    let url = new URL(address)
    let body = form && new URLSearchParams(form).toString()
    for (let redirects = 0; redirects < 20; redirects++) {
      const sent = [...cookies.values()].filter(({ path }) => url.pathname.startsWith(path))
      const response = await fetch(url, {
        redirect: 'manual',
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(sent.length > 0 ? { cookie: sent.map(({ value }) => value).join('; ') } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(body === undefined ? {} : { body }),
      })
      storeCookies(response.headers, url)
      const location = response.headers.get('location')
      if (location === null)
        return {
          url,
          status: response.status,
          body: await response.text(),
          headers: response.headers,
        }
      url = new URL(location, url)
      body = undefined
      if (options.stopAt?.(url))
        return { url, status: response.status, body: '', headers: response.headers }
    }
    throw new Error('too many redirects')
  }

  return { visit, cookies, setCookies }
}

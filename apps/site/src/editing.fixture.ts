import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type Browser,
  openBrowser,
  type Page,
} from '../../server/src/engines/hosting/local/starter-site/browser.fixture.ts'
import { startProviderStandIn, type TestProvider } from './provider.fixture.ts'
import { createSiteServer } from './server.ts'
import { createSiteFolder, type SiteFolder } from './site.fixture.ts'
import { openSite } from './site.ts'

export type Editing = {
  provider: TestProvider
  files: SiteFolder
  browser: Browser
  /** The log of the site. */
  lines: string[]
  app: string
  start: string
  /** Signs in at the console and returns the callback URL without requesting it. */
  callbackUrl(): Promise<URL>
  /** Signs in and returns the editor page. */
  signIn(): Promise<Page>
  save(page: Page, title: string, headers?: Record<string, string>): Promise<Page>
  /** Sends bytes to a path of the editor, with the cookies of the browser. */
  send(path: string, body: Buffer, headers: Record<string, string>): Promise<SentReply>
}

export type SentReply = { status: number; body: string }

/** The site in this process with a movable clock, an OpenID provider and a browser. */
export const startEditing = async (): Promise<Editing> => {
  const provider = await startProviderStandIn()
  const files = await createSiteFolder('Example')
  const signIn = { issuer: provider.issuer, clientId: 'example', clientSecret: 'a secret' }
  await writeFile(files.settings, JSON.stringify({ key: 'example', name: 'Example', signIn }))

  const lines: string[] = []
  const pushLine = (fields: object, message: string) =>
    void lines.push(JSON.stringify({ message, ...fields }))
  const site = await openSite(files, { info: pushLine, warn: pushLine, error: pushLine })
  const server = createSiteServer(site).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const app = `http://example.localhost:${(server.address() as AddressInfo).port}/yk/app`
  const start = `${app}/auth/oauth/cloud`
  const browser = openBrowser()

  const callbackUrl = async () => {
    const { location } = await browser.follow(start, (url) => url.pathname.endsWith('/callback'))
    if (!location) throw new Error('The console did not redirect the visitor back')
    return location
  }

  return {
    provider,
    files,
    browser,
    lines,
    app,
    start,
    callbackUrl,
    send: async (path, body, headers) => {
      const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const { host, origin, port } = new URL(app)
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path: `/yk/app${path}`,
        method: 'POST',
        headers: { host, origin, cookie, ...headers },
        agent: false,
      })
      outgoing.end(body)
      const [response] = await once(outgoing, 'response')
      const bytes = Buffer.concat(await response.toArray())
      return { status: response.statusCode, body: bytes.toString('utf8') }
    },
    signIn: async () => browser.follow((await callbackUrl()).href),
    save: (page, title, headers) =>
      browser.post(
        app,
        {
          form_token: page.hidden('form_token'),
          based_on: page.hidden('based_on'),
          title,
          text: 'A text',
        },
        headers,
      ),
  }
}

import { createDataFolder } from '../../../../testing/data-folder.ts'
import { type HostingWorld, startHostingWorld } from '../../../../testing/hosting-world.ts'
import { instance } from '../fixtures/local-engine.fixture.ts'
import { type Browser, openBrowser, type Page } from './browser.fixture.ts'
import { startLoginProvider, type TestProvider } from './login-provider.fixture.ts'

const key = 'example'
const secret = 'a-secret-of-the-tests-and-of-nobody-else'

export type SignInWorld = {
  world: HostingWorld
  dataDir: string
  provider: TestProvider
  browser: Browser
  home: string
  app: string
  start: string
  callback: string
  instance: ReturnType<typeof instance>
  /** Signs in at the provider and returns the callback URL without requesting it. */
  callbackUrl(browser?: Browser): Promise<URL>
  /** Signs in and returns the editor page. */
  signIn(browser?: Browser): Promise<Page>
  save(page: Page, title: string, text: string, browser?: Browser): Promise<Page>
}

const editorPath = '/yk/app'
const startPath = `${editorPath}/auth/oauth/cloud`

/** The starter site behind the gateway, and its login provider. */
export const startSignInWorld = async (dataDir?: string): Promise<SignInWorld> => {
  const folder = dataDir ?? (await createDataFolder())
  const world = await startHostingWorld({ dataDir: folder })
  const origin = `http://${key}.localhost:${world.port}`
  const callback = `${origin}${startPath}/callback`
  const provider = await startLoginProvider({ id: key, secret, redirectUris: [callback] })
  const signIn = { issuer: provider.issuer, clientId: key, clientSecret: secret }
  const site = instance(key, { signIn })
  await world.applyUntilHealthy(site)
  const ownBrowser = openBrowser()

  const callbackUrl = async (browser = ownBrowser) => {
    const isBack = (url: URL) => url.href.startsWith(callback)
    const { location } = await browser.follow(origin + startPath, isBack)
    if (!location) throw new Error('The provider did not redirect to the callback')
    return location
  }

  return {
    world,
    dataDir: folder,
    provider,
    browser: ownBrowser,
    home: `${origin}/`,
    app: origin + editorPath,
    start: origin + startPath,
    callback,
    instance: site,
    callbackUrl,
    async signIn(browser = ownBrowser) {
      return browser.follow((await callbackUrl(browser)).href)
    },
    save: (page, title, text, browser = ownBrowser) =>
      browser.post(origin + editorPath, {
        form_token: page.hidden('form_token'),
        based_on: page.hidden('based_on'),
        title,
        text,
      }),
  }
}

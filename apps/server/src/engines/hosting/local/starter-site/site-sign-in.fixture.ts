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
  /** Addresses of the site as its visitors see them. */
  home: string
  app: string
  start: string
  callback: string
  instance: ReturnType<typeof instance>
  /** Goes to the provider and back, up to the address that the site's callback is asked with. */
  comeBack(browser?: Browser): Promise<URL>
  /** Signs in and gives the editor. */
  signIn(browser?: Browser): Promise<Page>
  save(page: Page, title: string, text: string, browser?: Browser): Promise<Page>
}

const appPath = '/yk/app'
const startPath = `${appPath}/auth/oauth/cloud`

/** The starter site, run by the engine behind the gateway, and a provider that it is a client of. */
export const startSignInWorld = async (dataDir?: string): Promise<SignInWorld> => {
  const folder = dataDir ?? (await createDataFolder())
  const world = await startHostingWorld({ dataDir: folder })
  const origin = `http://${key}.localhost:${world.port}`
  const callback = `${origin}${startPath}/callback`
  const provider = await startLoginProvider({ id: key, secret, redirectUris: [callback] })
  const signIn = { issuer: provider.issuer, clientId: key, clientSecret: secret }
  const wanted = instance(key, { signIn })
  await world.up(wanted)
  const mine = openBrowser()

  const comeBack = async (browser = mine) => {
    const isBack = (url: URL) => url.href.startsWith(callback)
    const { location } = await browser.follow(origin + startPath, isBack)
    if (!location) throw new Error('The provider did not send the visitor back')
    return location
  }

  return {
    world,
    dataDir: folder,
    provider,
    browser: mine,
    home: `${origin}/`,
    app: origin + appPath,
    start: origin + startPath,
    callback,
    instance: wanted,
    comeBack,
    async signIn(browser = mine) {
      return browser.follow((await comeBack(browser)).href)
    },
    save: (page, title, text, browser = mine) =>
      browser.post(origin + appPath, {
        form_token: page.hidden('form_token'),
        based_on: page.hidden('based_on'),
        title,
        text,
      }),
  }
}

import { randomBytes } from 'node:crypto'
import { exchangeExternalLogin } from '@slipway/contract/sessions'
import { createBrowser } from '../../testing/browser.ts'
import type { World } from '../../testing/world.ts'

export const newState = () => randomBytes(16).toString('hex')

export const loginUrl = ({ env }: World, state = newState()) =>
  `${env.PUBLIC_URL}/api/auth/oauth/redirect?provider=google&state=${state}`

/** A browser that stops before it loads the console. */
export const browser = () =>
  createBrowser({ stopAt: (url) => url.pathname.startsWith('/auth/login') })

export const verifiedIdentity = (email: string) => ({ name: 'Test User', email, verified: 'yes' })

export const cookieHeader = ({ cookies }: Pick<ReturnType<typeof createBrowser>, 'cookies'>) =>
  [...cookies.values()].map(({ value }) => value).join('; ')

/** Exchanges the code in the URL of a return for a session, as the console does. */
export async function exchange(
  world: World,
  { searchParams }: URL,
  cookie: string,
  changes: { code?: string; state?: string } = {},
) {
  const [code, state] = [searchParams.get('token') ?? '', searchParams.get('state') ?? '']
  const response = await world.app.server.app.inject({
    method: 'POST',
    url: `/api${exchangeExternalLogin.path}`,
    headers: { cookie },
    payload: { code, state, ...changes },
  })
  const { token, error }: { token?: string; error?: string } = response.json()
  return { token, error, setCookies: [response.headers['set-cookie'] ?? []].flat() }
}

/** Signs in at the stand-in as this identity and follows the redirect back. */
export async function signIn(
  world: World,
  identity: Record<string, string>,
  state = newState(),
  inBrowser = browser(),
) {
  const picker = await inBrowser.visit(loginUrl(world, state))
  const completed = await inBrowser.visit(picker.url, identity)
  return {
    ...completed,
    async logIn() {
      const { token, error } = await exchange(world, completed.url, cookieHeader(inBrowser))
      if (token === undefined) throw new Error(`the code was not exchanged: ${error}`)
      return world.client(token)
    },
  }
}

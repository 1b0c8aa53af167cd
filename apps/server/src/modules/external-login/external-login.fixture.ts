import { randomBytes } from 'node:crypto'
import { createBrowser } from '../../testing/browser.ts'
import type { World } from '../../testing/world.ts'

export const newState = () => randomBytes(16).toString('hex')

/** The URL that starts a login with this console state. */
export const loginUrl = ({ env }: World, state = newState()) =>
  `${env.PUBLIC_URL}/api/auth/oauth/redirect?provider=google&state=${state}`

/** A browser that stops before it loads the console. */
export const browser = () =>
  createBrowser({ stopAt: (url) => url.pathname.startsWith('/auth/login') })

export const verifiedIdentity = (email: string) => ({ name: 'Test User', email, verified: 'yes' })

/** Signs in at the stand-in as this identity and follows the redirect back. */
export async function signIn(
  world: World,
  identity: Record<string, string>,
  state = newState(),
  inBrowser = browser(),
) {
  const picker = await inBrowser.visit(loginUrl(world, state))
  return inBrowser.visit(picker.url, identity)
}

import { randomBytes } from 'node:crypto'
import { createBrowser } from '../../testing/browser.ts'
import type { World } from '../../testing/world.ts'

export const newState = () => randomBytes(16).toString('hex')

/** Where a browser begins a login with that state of the console's. */
export const outTo = ({ env }: World, state = newState()) =>
  `${env.PUBLIC_URL}/api/auth/oauth/redirect?provider=google&state=${state}`

/** A browser that stops at the console, whose screens are not part of these tests. */
export const browser = () =>
  createBrowser({ stopAt: (url) => url.pathname.startsWith('/auth/login') })

export const somebody = (email: string) => ({ name: 'Some Body', email, verified: 'yes' })

/** Goes out to the stand-in, picks that person there, and comes back. */
export async function signIn(
  world: World,
  person: Record<string, string>,
  state = newState(),
  by = browser(),
) {
  const pick = await by.visit(outTo(world, state))
  return by.visit(pick.url, person)
}

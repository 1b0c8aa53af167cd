import { signUp, verifyEmail } from '@slipway/contract/auth'
import { until } from '../../testing/until.ts'
import type { World } from '../../testing/world.ts'

/** The password of everybody who signs up in the tests. */
export const password = 'Correct-horse7'

let addresses = 0
/** An address that nobody has yet. */
export const address = () => `somebody${++addresses}@example.com`

/** The token in the newest mail to the address that links to this path. */
export async function mailedToken(world: World, email: string, path: string) {
  const mails = await until(async () => {
    const found = (await world.mailsTo(email)).filter((mail) => mail.text?.includes(path))
    return found.length > 0 && found
  })
  const url = /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
  return new URL(url).searchParams.get('token') ?? ''
}

/** A user who signed up through the API, as a person does. */
export async function signedUp(world: World, email = address(), locale = 'en') {
  const { token } = await world.client(null, locale)(signUp, {
    body: { name: 'Some Body', email, password, __captcha_solution__: await world.captcha() },
  })
  return { email, token, call: world.client(token) }
}

/** Follows the link in the verification mail, on another device than that of the sign-up. */
export async function verify(world: World, email: string) {
  const token = await mailedToken(world, email, '/auth/verify')
  await world.guest(verifyEmail, { body: { token, password } })
}

/** The same, and verified. */
export async function verified(world: World, email = address()) {
  const user = await signedUp(world, email)
  await verify(world, email)
  return user
}

import { signUp, verifyEmail } from '@slipway/contract/auth'
import { until } from '../../testing/until.ts'
import type { World } from '../../testing/world.ts'

/** The password of every user who signs up in a test. */
export const password = 'Correct-horse7'

let addresses = 0
/** An unused email address. */
export const address = () => `user${++addresses}@example.com`

/** The token in the newest email to the address that links to the path. */
export async function mailedToken(world: World, email: string, path: string) {
  const mails = await until(async () => {
    const linking = (await world.mailsTo(email)).filter((mail) => mail.text?.includes(path))
    return linking.length > 0 && linking
  })
  const url = /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
  return new URL(url).searchParams.get('token') ?? ''
}

/** A user who signed up through the API. */
export async function signUpUser(world: World, email = address(), locale = 'en') {
  const { token } = await world.client(null, locale)(signUp, {
    body: { name: 'Test User', email, password, __captcha_solution__: await world.captcha() },
  })
  return { email, token, call: world.client(token) }
}

/** Follows the link in the verification email on another device, with the password. */
export async function openVerificationLink(world: World, email: string) {
  const token = await mailedToken(world, email, '/auth/verify')
  await world.guest(verifyEmail, { body: { token, password } })
}

/** A user who signed up and verified their address. */
export async function signUpVerifiedUser(world: World, email = address()) {
  const user = await signUpUser(world, email)
  await openVerificationLink(world, email)
  return user
}

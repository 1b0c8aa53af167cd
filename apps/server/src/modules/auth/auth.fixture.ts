import { signUp, verifyEmail } from '@slipway/contract/auth'
import { until } from '../../testing/until.ts'
import type { World } from '../../testing/world.ts'

export const password = 'Correct-horse7'

let emailCount = 0
export const unusedEmail = () => `user${++emailCount}@example.com`

/** Waits for an email that links to `path`. Returns the token of the newest one. */
export async function mailedToken(world: World, email: string, path: string) {
  const mails = await until(async () => {
    const linking = (await world.mailsTo(email)).filter((mail) => mail.text?.includes(path))
    return linking.length > 0 && linking
  })
  const url = /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
  return new URL(url).searchParams.get('token') ?? ''
}

export async function signUpUser(world: World, email = unusedEmail(), locale = 'en') {
  const { token } = await world.client(null, locale)(signUp, {
    body: { name: 'Test User', email, password, __captcha_solution__: await world.captcha() },
  })
  return { email, token, call: world.client(token) }
}

/** Verifies as on another device: with the emailed token and the password, without a session. */
export async function openVerificationLink(world: World, email: string) {
  const token = await mailedToken(world, email, '/auth/verify')
  await world.guest(verifyEmail, { body: { token, password } })
}

export async function signUpVerifiedUser(world: World, email = unusedEmail()) {
  const user = await signUpUser(world, email)
  await openVerificationLink(world, email)
  return user
}

import { hash, verify } from '@node-rs/argon2'

/** Argon2id with the parameters that OWASP's password storage cheat sheet names first. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, parameters)

let decoy: Promise<string> | undefined

/** True for the right password. Without a hash it takes as long and is false. */
export async function isPassword(passwordHash: string | null | undefined, password: string) {
  decoy ??= hashPassword('no password of anybody')
  const right = await verify(passwordHash ?? (await decoy), password)
  return right && passwordHash != null
}

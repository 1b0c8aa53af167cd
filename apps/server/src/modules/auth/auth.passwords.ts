import { hash, verify } from '@node-rs/argon2'

/** The first Argon2id parameters of OWASP's password storage cheat sheet. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, parameters)

let decoy: Promise<string> | undefined

/**
 * True for the right password. Takes equally long without a hash, so that timing reveals nothing.
 * Passwords were trimmed before version 0.2, so the stored one may lack surrounding blanks.
 */
export async function isPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword('decoy')
  const compared = passwordHash ?? (await decoy)
  const trimmed = password.trim()
  const matches =
    (await verify(compared, password)) ||
    (trimmed !== password && (await verify(compared, trimmed)))
  return matches && passwordHash != null
}

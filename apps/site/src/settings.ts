import { readFileSync, statSync } from 'node:fs'

/** The site's registration with the console, its OpenID provider. */
export type SignInSettings = { issuer: string; clientId: string; clientSecret: string }

/** What the hosting engine tells the site about itself. */
export type Settings = {
  /** The project's key, which names the site for ever. */
  key: string
  /** The project's name; may change while the site runs. */
  name: string
  /** Null when nobody can sign in; may change while the site runs. */
  signIn: SignInSettings | null
}

const parseSignIn = (value: unknown): SignInSettings | null => {
  if (value === undefined || value === null) return null
  const { issuer, clientId, clientSecret } = value as Record<string, unknown>
  if (
    typeof issuer !== 'string' ||
    typeof clientId !== 'string' ||
    typeof clientSecret !== 'string'
  ) {
    throw new Error('The sign-in settings need an issuer, a client id and a client secret')
  }
  return { issuer, clientId, clientSecret }
}

const parse = (text: string): Settings => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error('The settings are not an object')
  const { key, name, signIn } = value as Record<string, unknown>
  if (typeof key !== 'string' || typeof name !== 'string') {
    throw new Error('The settings need a key and a name')
  }
  return { key, name, signIn: parseSignIn(signIn) }
}

/**
 * Reads the settings file and gives a function that answers the current settings. The file is
 * replaced as a whole by its writer, so a new inode, size or time means new settings, and a rename
 * shows on the next request without a restart. Throws when the file cannot be read or is not valid.
 */
export const watchSettings = (path: string): (() => Settings) => {
  const identify = () => {
    const file = statSync(path, { throwIfNoEntry: false })
    return file ? `${file.ino}:${file.mtimeMs}:${file.size}` : null
  }
  let identity = identify()
  let settings = parse(readFileSync(path, 'utf8'))
  return () => {
    const current = identify()
    // The file goes first when the site is removed; requests under way still get their answer.
    if (current !== null && current !== identity) {
      settings = parse(readFileSync(path, 'utf8'))
      identity = current
    }
    return settings
  }
}

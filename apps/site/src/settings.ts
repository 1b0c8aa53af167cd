import { readFileSync, statSync } from 'node:fs'

/** The site's registration with the console, its OpenID provider. */
export type SignInSettings = { issuer: string; clientId: string; clientSecret: string }

/** The site's settings, written by the hosting engine. */
export type Settings = {
  /** The project's key. */
  key: string
  /** The project's name. May change while the site runs. */
  name: string
  /** Null when sign-in is disabled. May change while the site runs. */
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
 * Reads the settings file and returns a getter of the current settings. The writer replaces the
 * file atomically, so a new inode, size or time means new settings. Throws when the file is
 * unreadable or invalid.
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
    // A removal deletes the file first; current requests still get a response.
    if (current !== null && current !== identity) {
      settings = parse(readFileSync(path, 'utf8'))
      identity = current
    }
    return settings
  }
}

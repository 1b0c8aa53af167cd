import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { readTexts, removePrivateFile, writePrivateFile } from '@slipway/terminal/private-file'

/** A login at a service. Until it expires, the token is as sensitive as the password. */
export type Session = { url: string; email: string; token: string }

/** The session's file. The XDG Base Directory Specification 0.8 ignores relative paths. */
export function sessionPath({ XDG_CONFIG_HOME: configHome }: Record<string, string | undefined>) {
  const config = configHome && isAbsolute(configHome) ? configHome : join(homedir(), '.config')
  return join(config, 'slipway', 'operator.json')
}

/** Reads the stored session; undefined if it is missing or malformed. */
export const readSession = (path: string): Promise<Session | undefined> =>
  readTexts(path, ['url', 'email', 'token'])

export const writeSession = (path: string, session: Session) => writePrivateFile(path, session)

export const removeSession = removePrivateFile

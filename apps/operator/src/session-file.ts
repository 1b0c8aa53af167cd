import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/** A login at a service. Until it expires, the token is as sensitive as the password. */
export type Session = { url: string; email: string; token: string }

/** The session's file. The XDG Base Directory Specification 0.8 ignores relative paths. */
export function sessionPath({ XDG_CONFIG_HOME: configHome }: Record<string, string | undefined>) {
  const config = configHome && isAbsolute(configHome) ? configHome : join(homedir(), '.config')
  return join(config, 'slipway', 'operator.json')
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  ['url', 'email', 'token'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  )

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** Reads the stored session; undefined if it is missing or malformed. */
export async function readSession(path: string): Promise<Session | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isSession(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Stores the session atomically, readable only by this user of the machine. */
export async function writeSession(path: string, session: Session) {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(session, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Deletes the stored session. */
export const removeSession = (path: string) => rm(path, { force: true })

import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path, { dirname, join } from 'node:path'

/** A login at a service. Until it is revoked, the token is as sensitive as a password. */
export type Login = { url: string; token: string }

/**
 * The file of the login. The XDG Base Directory Specification 0.8 ignores relative paths. Windows
 * has a folder for the settings of programs, which only their user can read.
 */
export function loginPath(
  { XDG_CONFIG_HOME: configHome, APPDATA: appData }: NodeJS.ProcessEnv,
  { isAbsolute, join, sep }: Pick<typeof path, 'isAbsolute' | 'join' | 'sep'> = path,
  home = homedir(),
) {
  const configured = [configHome, ...(sep === '\\' ? [appData] : [])]
  const config = configured.find((folder) => folder && isAbsolute(folder)) ?? join(home, '.config')
  return join(config, 'slipway', 'login.json')
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** The texts of a JSON file; undefined if it is missing or invalid. */
async function readTexts<Name extends string>(
  path: string,
  names: readonly Name[],
): Promise<Record<Name, string> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const isComplete = names.every(
      (name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string',
    )
    return isComplete ? (value as Record<Name, string>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

export const readLogin = (path: string): Promise<Login | undefined> =>
  readTexts(path, ['url', 'token'])

/** Stores the login atomically, readable only by this user of the machine. */
export async function writeLogin(path: string, login: Login) {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const unfinished = `${path}.${randomUUID()}`
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(login, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

export const removeLogin = (path: string) => rm(path, { force: true })

/**
 * The file that links a folder to its project. It has no secret and belongs into the repository.
 */
export const linkFile = '.slipway.json'

/** The key of the project that a folder is linked to. */
export const readLink = async (folder: string): Promise<string | undefined> =>
  (await readTexts(join(folder, linkFile), ['project']))?.project

export const writeLink = (folder: string, project: string) =>
  writeFile(join(folder, linkFile), `${JSON.stringify({ project }, null, 2)}\n`)

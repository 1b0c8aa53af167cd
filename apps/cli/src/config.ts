import { rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import nodePath, { join } from 'node:path'
import { readTexts, removePrivateFile, writePrivateFile } from '@slipway/terminal/private-file'

/** A login at a service. Until it is revoked, the token is as sensitive as a password. */
export type Login = { url: string; token: string }

/**
 * The login file. XDG Base Directory Specification 0.8: relative paths are ignored. `%APPDATA%` is
 * readable only by its user.
 */
export function loginPath(
  { XDG_CONFIG_HOME: configHome, APPDATA: appData }: NodeJS.ProcessEnv,
  {
    isAbsolute,
    join: joinPath,
    sep,
  }: Pick<typeof nodePath, 'isAbsolute' | 'join' | 'sep'> = nodePath,
  home = homedir(),
) {
  const configured = [configHome, ...(sep === '\\' ? [appData] : [])]
  const config =
    configured.find((folder) => folder && isAbsolute(folder)) ?? joinPath(home, '.config')
  return joinPath(config, 'slipway', 'login.json')
}

export const readLogin = (path: string): Promise<Login | undefined> =>
  readTexts(path, ['url', 'token'])

export const writeLogin = (path: string, login: Login) => writePrivateFile(path, login)

export const removeLogin = removePrivateFile

/** Links a folder to its project. It has no secret and belongs in the repository. */
export const linkFile = '.slipway.json'

/** The key of the project that a folder is linked to. */
export const readLink = async (folder: string): Promise<string | undefined> =>
  (await readTexts(join(folder, linkFile), ['project']))?.project

export const removeLink = (folder: string) => rm(join(folder, linkFile), { force: true })

export const writeLink = (folder: string, project: string) =>
  writeFile(join(folder, linkFile), `${JSON.stringify({ project }, null, 2)}\n`)

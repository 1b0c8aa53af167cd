import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { basename, extname, join } from 'node:path'
import { editorPath } from './cookies.ts'
import { send } from './respond.ts'
import type { Visit } from './visit.ts'

/** The path of the editor's modules. */
export const scriptsPath = `${editorPath}/scripts/`

// `.ts` in the sources, `.js` in a release.
const extension = extname(import.meta.filename)

export const scriptAddress = `${scriptsPath}main${extension}`

/** A module of the editor's script; null when there is none with this name. */
const readScript = async (name: string): Promise<string | null> => {
  if (!/^[a-z-]+\.[jt]s$/.test(name) || extname(name) !== extension) return null
  try {
    const text = await readFile(join(import.meta.dirname, 'browser', basename(name)), 'utf8')
    return extension === '.ts' ? stripTypeScriptTypes(text) : text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The editor's script. It is in no public page. */
export const showScript = async ({ path, response }: Visit): Promise<void> => {
  const script = await readScript(path.slice(scriptsPath.length))
  const headers = { 'cache-control': 'no-cache' }
  if (script === null) send(response, 404, 'text/plain', 'Not found\n', headers)
  else send(response, 200, 'text/javascript', script, headers)
}

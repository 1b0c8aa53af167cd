import { realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'

/**
 * The folder of the npm that started the server, of the npm beside its Node, or of `npm` in PATH.
 * Null without npm.
 */
export async function findNpm(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const besideNode = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm/bin/npm-cli.js')
  const commands = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'))
  for (const path of [env.npm_execpath, besideNode, ...commands]) {
    const cli = path && (await realpath(path).catch(() => null))
    if (cli && basename(cli) === 'npm-cli.js') return dirname(dirname(cli))
  }
  return null
}

import { realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'

/**
 * The folder of npm on this machine: the one that started the server, that of its Node, or the one
 * of the command. Null without one.
 */
export async function findNpm(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const beside = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm/bin/npm-cli.js')
  const commands = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'))
  for (const path of [env.npm_execpath, beside, ...commands]) {
    const cli = path && (await realpath(path).catch(() => null))
    if (cli && basename(cli) === 'npm-cli.js') return dirname(dirname(cli))
  }
  return null
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
/** Compiling what is run over and over takes as long as running it. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))

export type Cli = Awaited<ReturnType<typeof createCli>>

/** The command line as it is run, with a home of its own. */
export async function createCli(env: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'slipway-operator-'))
  return {
    home,
    sessionFile: join(home, 'config/slipway/operator.json'),
    remove: () => rm(home, { recursive: true }),
    /** Runs a command, its input given and then ended. */
    async run(args: string[], { input = '', ...more }: Record<string, string> = {}) {
      const child = spawn(process.execPath, [main, ...args], {
        env: {
          PATH: process.env.PATH,
          HOME: home,
          XDG_CONFIG_HOME: join(home, 'config'),
          LANG: 'en_GB.UTF-8',
          TZ: 'UTC',
          NODE_COMPILE_CACHE: compiled,
          ...env,
          ...more,
        },
        stdio: 'pipe',
      })
      const said = { output: '', errors: '' }
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        said.output += chunk
      })
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        said.errors += chunk
      })
      // A command that reads nothing may have ended before it is written to.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      const [code] = await once(child, 'close')
      return { code: code as number, ...said }
    },
  }
}

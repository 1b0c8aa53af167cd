import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All runs share one compile cache: compiling takes as long as the run itself. */
const compileCache = fileURLToPath(
  new URL('../../../../node_modules/.cache/compiled', import.meta.url),
)

/**
 * A command line whose program is this file. Each run is a process. All runs have one temporary
 * home folder, and run in a folder in it.
 */
export async function createCommandLine(program: URL, env: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'slipway-command-line-'))
  const folder = join(home, 'site')
  await mkdir(folder)

  function start(args: string[], overrides: Record<string, string> = {}) {
    const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_CONFIG_HOME: join(home, 'config'),
        LANG: 'en_GB.UTF-8',
        TZ: 'UTC',
        NODE_COMPILE_CACHE: compileCache,
        ...env,
        ...overrides,
      },
      stdio: 'pipe',
    })
    const result = { output: '', errors: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      result.output += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      result.errors += chunk
    })
    // A command that reads no input may exit before the write.
    child.stdin.on('error', () => undefined)
    return { child, result, ended: once(child, 'close') }
  }

  return {
    home,
    folder,
    remove: () => rm(home, { recursive: true }),
    start,
    /** Runs a command, writes `input` to it and closes its standard input. */
    async run(args: string[], { input = '', ...overrides }: Record<string, string> = {}) {
      const { child, result, ended } = start(args, overrides)
      child.stdin.end(input)
      const [code] = await ended
      return { code: code as number, ...result }
    },
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTicket } from '@slipway/contract/support'
import { createWorld, type TestUser } from '../../server/src/testing/world.ts'
import { writeSession } from './session-file.ts'

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

export const password = 'Correct-horse7'

/** The input of somebody who signs in. */
export const credentials = (email: string) => ({ input: `${email}\n${password}\n` })

export type Service = Awaited<ReturnType<typeof createService>>

/** The real service, listening, with an operator who has a password. */
export async function createService() {
  const world = await createWorld(
    { OPERATOR_EMAILS: ['operator@example.com', 'late@example.com'] },
    new Date(),
  )
  const url = `http://localhost:${await world.listen()}`

  const operator = await world.user({ email: 'operator@example.com', password })

  return {
    world,
    url,
    operator,
    /** Lets the command line remember a session, as if the operator had signed in. */
    async remember(cli: Cli) {
      // Each its own: signing in again ends the one that was remembered.
      const token = await world.ctx.write((tx) => world.ctx.sessions.start(tx, operator.id))
      await writeSession(cli.sessionFile, { url, email: operator.email, token })
    },
    /** A ticket that is a little younger than those before. */
    open(user: TestUser, subject: string, message = 'It is urgent.') {
      world.clock.forward(100)
      return user.call(createTicket, { body: { subject, message } })
    },
    close: () => world.close(),
  }
}

/** Lets the server listen on the loopback; gives its port. */
export async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address.port
}

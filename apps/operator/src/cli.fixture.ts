import type { Server } from 'node:http'
import { join } from 'node:path'
import { createTicket } from '@slipway/contract/support'
import type { Env } from '../../server/src/env/env.ts'
import { createCommandLine } from '../../server/src/testing/command-line.ts'
import { createWorld, type TestUser } from '../../server/src/testing/world.ts'
import { writeSession } from './session-file.ts'

export type Cli = Awaited<ReturnType<typeof createCli>>

/** Runs the command line of operators. */
export async function createCli(env: Record<string, string> = {}) {
  const commandLine = await createCommandLine(new URL('main.ts', import.meta.url), env)
  return {
    ...commandLine,
    sessionFile: join(commandLine.home, 'config/slipway/operator.json'),
  }
}

/** A kubeconfig of an API server that does not run. */
export const kubeconfig = (port: number) => `
apiVersion: v1
kind: Config
current-context: test
clusters: [{ name: test, cluster: { server: 'http://127.0.0.1:${port}' } }]
users: [{ name: test, user: { token: secret } }]
contexts: [{ name: test, context: { cluster: test, user: test } }]
`

export const password = 'Correct-horse7'

/** The standard input of a login. */
export const credentials = (email: string) => ({ input: `${email}\n${password}\n` })

export type Service = Awaited<ReturnType<typeof createService>>

/** A real service that listens, with an operator who has a password. */
export async function createService(env: Partial<Env> = {}) {
  const world = await createWorld(
    { OPERATOR_EMAILS: ['operator@example.com', 'late@example.com'], ...env },
    new Date(),
  )
  const url = `http://localhost:${await world.listen()}`

  const operator = await world.user({ email: 'operator@example.com', password })

  return {
    world,
    url,
    operator,
    /** Stores a session for the command line, as a login does. */
    async storeSession(cli: Cli) {
      // Each test gets a new session, because a login ends the one it replaces.
      const token = await world.ctx.write((tx) => world.ctx.sessions.start(tx, operator.id))
      await writeSession(cli.sessionFile, { url, email: operator.email, token })
    },
    /** Creates a ticket that is newer than all others. */
    openTicket(user: TestUser, subject: string, message = 'It is urgent.') {
      world.clock.forward(100)
      return user.call(createTicket, { body: { subject, message } })
    },
    close: () => world.close(),
  }
}

/** Listens on a free port of the loopback interface. Returns the port. */
export async function listenOnLoopback(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}

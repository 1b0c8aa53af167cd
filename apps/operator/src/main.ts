import { ApiError } from '@slipway/contract/client'
import { listOperatorTickets } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import { type Arguments, readArguments } from './arguments.ts'
import { Failure, refusalText } from './failure.ts'
import { terminalLocale } from './locale.ts'
import { type Dialogue, readAll } from './prompt.ts'
import { listScreen, threadScreen } from './screens.ts'
import { serviceUrl } from './service.ts'
import { readSession, sessionPath } from './session-file.ts'
import { type Surroundings, signedIn, signIn, signOut } from './sign-in.ts'
import { createTerminal } from './terminal.ts'
import { oneLine } from './text.ts'
import { findTicket, reply } from './tickets.ts'

const locale = terminalLocale(process.env)
const dialogue: Dialogue = { input: process.stdin, output: process.stderr }
const sessionFile = sessionPath(process.env)

async function surroundings(url: string | undefined): Promise<Surroundings> {
  const given = url ?? (process.env.SLIPWAY_URL || (await readSession(sessionFile))?.url)
  return { url: serviceUrl(given, locale), locale, dialogue, sessionFile }
}

/** Does what a command line asks for; gives the lines to show. */
async function run({ command, url }: Arguments): Promise<string[]> {
  const around = await surroundings(url)
  const terminal = createTerminal(process.stdout, locale)
  switch (command.name) {
    case 'help':
      return [m.operator_usage({}, { locale })]
    case 'login': {
      const { email } = await signIn(around)
      return [m.operator_signed_in({ email, url: around.url }, { locale })]
    }
    case 'logout':
      await signOut(around)
      return [m.operator_signed_out({}, { locale })]
    case 'tickets': {
      const { state, search, page } = command
      const query = { state, search, page }
      return listScreen(
        await signedIn(around, (call) => call(listOperatorTickets, { query })),
        terminal,
      )
    }
    case 'ticket':
      return threadScreen(
        await signedIn(around, (call) => findTicket(call, command.id, locale, command)),
        terminal,
      )
    case 'reply': {
      const fromInput = command.text === '-'
      const text = fromInput ? await readAll(dialogue) : command.text
      // The input that brought the text cannot bring a password as well.
      const asking = fromInput ? { ...around, dialogue: undefined } : around
      const { user, again } = await signedIn(asking, (call) =>
        reply(call, command.id, text, locale),
      )
      const said = again ? m.operator_replied_before : m.operator_replied
      return [said({ name: oneLine(user.name), email: user.email }, { locale })]
    }
  }
}

function sayWhyNot(error: unknown) {
  if (error instanceof ApiError) return refusalText(error, locale)
  if (error instanceof Failure) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

// Whoever reads the output may have read enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
try {
  const lines = await run(readArguments(process.argv.slice(2), locale))
  process.stdout.write(`${lines.join('\n')}\n`)
} catch (error) {
  process.stderr.write(`${sayWhyNot(error)}\n`)
  process.exitCode = 1
}

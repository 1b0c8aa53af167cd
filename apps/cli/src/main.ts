import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { apiErrorText, CommandError } from '@slipway/terminal/command-error'
import { terminalLocale } from '@slipway/terminal/locale'
import type { PromptStreams } from '@slipway/terminal/prompt'
import { createTerminal } from '@slipway/terminal/terminal'
import { type Arguments, readArguments, UsageError, wantsJson } from './arguments.ts'
import {
  createBackup,
  downloadBackup,
  obstacleText,
  restoreBackup,
  showBackups,
} from './backups.ts'
import { loginPath } from './config.ts'
import {
  type CommandContext,
  type CommandResult,
  cliVersion,
  defaultTimings,
  findLogin,
} from './context.ts'
import { deploy, deployContainerImage, rollBack, update } from './deploy.ts'
import { addDomain, checkDomains, makePrimary, removeDomain, showDomains } from './domains.ts'
import { listVariables, setVariables, unsetVariables } from './environment.ts'
import { helpText } from './help.ts'
import { changePower, create, remove, restart } from './lifecycle.ts'
import { logIn, logOut, showCurrentUser } from './login.ts'
import { showLogs } from './logs.ts'
import { link, openSite, showProjects, showReleases } from './projects.ts'
import { showTraffic } from './traffic.ts'

const args = process.argv.slice(2)
const locale = terminalLocale(process.env)
const streams: PromptStreams = { input: process.stdin, output: process.stderr }
const cancellation = new AbortController()

async function createContext(url: string | undefined): Promise<CommandContext> {
  const loginFile = loginPath(process.env)
  return {
    ...(await findLogin(url, process.env, loginFile, locale)),
    locale,
    streams,
    loginFile,
    timings: defaultTimings,
    signal: cancellation.signal,
    terminal: createTerminal(process.stdout, locale),
    printStatus: (text) => void process.stderr.write(`${text}\n`),
  }
}

async function run(parsedArguments: Arguments): Promise<CommandResult> {
  const { command, operands, project, file, runtime } = parsedArguments
  const [first] = operands
  if (command === 'help') {
    const text = helpText(first, locale)
    if (text === undefined)
      throw new UsageError(m.terminal_unknown_command({ command: first ?? '' }, { locale }))
    return { json: { text }, lines: [text] }
  }
  if (command === 'version') return { json: { text: cliVersion }, lines: [cliVersion] }
  const context = await createContext(parsedArguments.url)
  switch (command) {
    case 'login':
      return logIn(context)
    case 'logout':
      return logOut(context)
    case 'whoami':
      return showCurrentUser(context)
    case 'projects':
      return showProjects(context)
    case 'create':
      return create(context, { ...parsedArguments, name: first })
    case 'link':
      return link(context, first ?? project)
    case 'deploy':
      return parsedArguments.image === undefined
        ? deploy(context, { folder: first, project, runtime })
        : deployContainerImage(context, parsedArguments)
    case 'releases':
      return showReleases(context, project)
    case 'rollback':
      return rollBack(context, { number: first, project })
    case 'update':
      return update(context, project)
    case 'logs':
      return showLogs(context, parsedArguments)
    case 'traffic':
      return showTraffic(context, project)
    case 'stop':
      return changePower(context, project, 'stopped')
    case 'start':
      return changePower(context, project, 'running')
    case 'restart':
      return restart(context, project)
    case 'delete':
      return remove(context, { project: first ?? project, yes: parsedArguments.yes })
    case 'env list':
      return listVariables(context, project)
    case 'env set':
      return setVariables(context, { name: first, file, project })
    case 'env unset':
      return unsetVariables(context, operands, project)
    case 'domains list':
      return showDomains(context, project)
    case 'domains add':
      return addDomain(context, { name: first, project })
    case 'domains check':
      return checkDomains(context, { name: first, project })
    case 'domains primary':
      return makePrimary(context, { name: first, project })
    case 'domains remove':
      return removeDomain(context, { name: first, project })
    case 'backups list':
      return showBackups(context, project)
    case 'backups create':
      return createBackup(context, project)
    case 'backups restore':
      return restoreBackup(context, { backup: first ?? '', name: parsedArguments.newName, project })
    case 'backups download':
      return downloadBackup(context, { backup: first ?? '', file: operands[1], project })
    case 'open':
      return openSite(context, project)
  }
}

/** An error as a sentence for the user, and as a code for programs. */
function explain(error: unknown): { code: string; message: string } {
  if (error instanceof ApiError && error.code === 'unauthorized')
    return { code: error.code, message: m.cli_token_ended({}, { locale }) }
  if (error instanceof ApiError && error.code === 'forbidden')
    return { code: error.code, message: m.cli_token_limited({}, { locale }) }
  if (error instanceof ApiError) {
    const obstacle = error.code === 'backup_not_possible' && obstacleText(error, locale)
    return { code: error.code, message: obstacle || apiErrorText(error, locale) }
  }
  if (error instanceof UsageError) return { code: 'usage', message: error.message }
  if (error instanceof CommandError) return { code: 'failed', message: error.message }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'internal_error', message }
}

function print(json: unknown, lines: readonly string[]) {
  const output = wantsJson(args) ? [JSON.stringify(json, null, 2)] : lines
  process.stdout.write(output.map((line) => `${line}\n`).join(''))
}

// The first Ctrl-C cancels; a second one ends the process at once.
process.once('SIGINT', () => cancellation.abort())
// A reader such as `head` may close the pipe before all output is written.
let isOutputClosed = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  isOutputClosed = true
  cancellation.abort()
})
try {
  const { json, lines, failed } = await run(readArguments(args, locale))
  print(json, lines)
  process.exitCode = failed ? 1 : 0
} catch (error) {
  if (isOutputClosed) {
    // As if ended by SIGPIPE, which Node ignores: 128 and its number.
    process.exitCode = 141
  } else if (cancellation.signal.aborted) {
    process.stderr.write(`${m.cli_cancelled({}, { locale })}\n`)
    process.exitCode = 130
  } else {
    const { code, message } = explain(error)
    if (wantsJson(args)) print({ error: { code, message } }, [])
    process.stderr.write(`${message}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

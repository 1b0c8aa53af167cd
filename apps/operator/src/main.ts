import { ApiError } from '@slipway/contract/client'
import { listClusters } from '@slipway/contract/clusters'
import { listStuckEmails } from '@slipway/contract/emails'
import {
  listOperatorTickets,
  resumeProject,
  suspendProject,
  viewOperatorProject,
} from '@slipway/contract/operator'
import { getInvoiceRun, issueInvoices } from '@slipway/contract/products'
import { listRuntimeVersions } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'
import { apiErrorText, CommandError } from '@slipway/terminal/command-error'
import { terminalLocale } from '@slipway/terminal/locale'
import { type PromptStreams, readAll } from '@slipway/terminal/prompt'
import { serviceUrl } from '@slipway/terminal/service'
import { createTerminal } from '@slipway/terminal/terminal'
import { oneLine } from '@slipway/terminal/text'
import { type Arguments, readArguments } from './arguments.ts'
import {
  checkClusters,
  formatClusterCheck,
  formatClusterList,
  hasPassed,
  setClusterState,
  stateText,
} from './clusters.ts'
import { retryAll, retryOne } from './emails.ts'
import { formatInvoiceRun } from './invoices.ts'
import { moveProject, moveResult } from './moves.ts'
import { confirmKey, formatProject, recreateEmpty } from './projects.ts'
import { addWordPress } from './runtimes.ts'
import { emailsScreen, listScreen, runtimesScreen, threadScreen } from './screens.ts'
import { readSession, sessionPath } from './session-file.ts'
import { type CommandContext, signIn, signOut, withSession } from './sign-in.ts'
import { findTicket, reply } from './tickets.ts'

const locale = terminalLocale(process.env)
const streams: PromptStreams = { input: process.stdin, output: process.stderr }
const sessionFile = sessionPath(process.env)

async function createContext(url: string | undefined): Promise<CommandContext> {
  const requestedUrl = url ?? (process.env.SLIPWAY_URL || (await readSession(sessionFile))?.url)
  return { url: serviceUrl(requestedUrl, locale), locale, streams, sessionFile }
}

/** Runs a command and returns the lines to print. */
async function run({ command, url }: Arguments): Promise<string[]> {
  const context = await createContext(url)
  const terminal = createTerminal(process.stdout, locale)
  switch (command.name) {
    case 'help':
      return [m.operator_usage({}, { locale })]
    case 'login': {
      const { email } = await signIn(context)
      return [m.terminal_signed_in({ email, url: context.url }, { locale })]
    }
    case 'logout':
      await signOut(context)
      return [m.terminal_signed_out({}, { locale })]
    case 'tickets': {
      const { state, search, page } = command
      const query = { state, search, page }
      return listScreen(
        await withSession(context, (call) => call(listOperatorTickets, { query })),
        terminal,
      )
    }
    case 'ticket':
      return threadScreen(
        await withSession(context, (call) => findTicket(call, command.id, locale, command)),
        terminal,
      )
    case 'issue': {
      const { run } = await withSession(context, (call) => call(issueInvoices, { body: {} }))
      return formatInvoiceRun(run, terminal)
    }
    case 'issuing': {
      const { run } = await withSession(context, (call) => call(getInvoiceRun))
      return formatInvoiceRun(run, terminal)
    }
    case 'runtime-list': {
      const versions = await withSession(context, (call) => call(listRuntimeVersions))
      return runtimesScreen(versions, terminal)
    }
    case 'runtime-add': {
      const { version } = await withSession(context, (call) =>
        addWordPress(call, command.runtime, command, locale),
      )
      return [m.operator_runtime_added({ version }, { locale })]
    }
    case 'cluster-check': {
      const check = await withSession(context, (call) => checkClusters(call, locale))
      if (!hasPassed(check)) process.exitCode = 1
      return command.json ? [JSON.stringify(check, null, 2)] : formatClusterCheck(check, terminal)
    }
    case 'cluster-list':
      return formatClusterList(await withSession(context, (call) => call(listClusters)), terminal)
    case 'cluster-state': {
      const { name, state } = await withSession(context, (call) =>
        setClusterState(call, command.cluster, command.state, locale),
      )
      return [m.operator_cluster_changed({ name, state: stateText(state, locale) }, { locale })]
    }
    case 'emails': {
      const { state, page } = command
      const query = { state, page }
      return emailsScreen(
        await withSession(context, (call) => call(listStuckEmails, { query })),
        terminal,
      )
    }
    case 'retry': {
      const { id } = command
      if (id === undefined) {
        const count = await withSession(context, retryAll)
        return [m.operator_emails_retried({ count }, { locale })]
      }
      const { recipient } = await withSession(context, (call) => retryOne(call, id, locale))
      return [m.operator_email_retried({ recipient: oneLine(recipient) }, { locale })]
    }
    case 'project':
      return formatProject(
        await withSession(context, (call) =>
          call(viewOperatorProject, { params: { key: command.key } }),
        ),
        terminal,
      )
    case 'suspend': {
      const { key, reason, note } = command
      const { name } = await withSession(context, (call) =>
        call(suspendProject, { params: { key }, body: { reason, note } }),
      )
      return [m.operator_suspended({ key, name: oneLine(name) }, { locale })]
    }
    case 'resume': {
      const { key } = command
      const project = await withSession(context, (call) => call(resumeProject, { params: { key } }))
      const message = project.power === 'running' ? m.operator_resumed : m.operator_resumed_stopped
      return [message({ key, name: oneLine(project.name) }, { locale })]
    }
    case 'move': {
      const { key, target, json } = command
      const print = (line: string) => void process.stdout.write(`${line}\n`)
      const move = await withSession(context, (call) =>
        moveProject(call, { key, target }, locale, json ? () => undefined : print),
      )
      if (move.state !== 'done') process.exitCode = 1
      return [json ? JSON.stringify(move, null, 2) : moveResult(move, locale)]
    }
    case 'start-empty': {
      const { key } = command
      await confirmKey(streams, key, locale)
      // Piped input has ended with the confirmation, so it cannot provide a password.
      const promptContext = streams.input.isTTY ? context : { ...context, streams: undefined }
      const { name } = await withSession(promptContext, (call) => recreateEmpty(call, key, locale))
      return [m.operator_started_empty({ key, name: oneLine(name) }, { locale })]
    }
    case 'reply': {
      const fromInput = command.text === '-'
      const text = fromInput ? await readAll(streams) : command.text
      // The input has ended with the text, so it cannot provide a password.
      const promptContext = fromInput ? { ...context, streams: undefined } : context
      const { user, alreadySent } = await withSession(promptContext, (call) =>
        reply(call, command.id, text, locale),
      )
      const message = alreadySent ? m.operator_replied_before : m.operator_replied
      return [message({ name: oneLine(user.name), email: user.email }, { locale })]
    }
  }
}

function errorMessage(error: unknown) {
  if (error instanceof ApiError) return apiErrorText(error, locale)
  if (error instanceof CommandError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

// A reader such as `head` may close the pipe before all output is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
try {
  const lines = await run(readArguments(process.argv.slice(2), locale))
  process.stdout.write(`${lines.join('\n')}\n`)
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`)
  process.exitCode = 1
}

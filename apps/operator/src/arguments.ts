import { parseArgs } from 'node:util'
import { type ClusterState, clusterStates } from '@slipway/contract/clusters'
import { type StuckEmailState, stuckEmailStates } from '@slipway/contract/emails'
import { type SuspensionReason, suspensionReasons } from '@slipway/contract/projects'
import { type VersionedRuntime, versionedRuntimes } from '@slipway/contract/runtimes'
import { type TicketState, ticketStates } from '@slipway/contract/support'
import { formatList, type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import type { WordPressFiles } from './runtimes.ts'

export type Command =
  | { name: 'help' | 'login' | 'logout' | 'issue' | 'issuing' }
  | { name: 'tickets'; state?: TicketState; search?: string; page?: number }
  | { name: 'ticket'; id: string; all: boolean }
  | { name: 'reply'; id: string; text: string }
  | { name: 'project' | 'resume' | 'start-empty'; key: string }
  | { name: 'suspend'; key: string; reason: SuspensionReason; note?: string }
  | { name: 'runtime-list' }
  | { name: 'cluster-check'; json: boolean }
  | { name: 'move'; key: string; target: string; json: boolean }
  | { name: 'cluster-list' }
  | { name: 'cluster-state'; cluster: string; state: ClusterState }
  | ({ name: 'runtime-add'; runtime: VersionedRuntime } & WordPressFiles)
  | { name: 'emails'; state?: StuckEmailState; page?: number }
  /** The email to retry; without an id, all that failed. */
  | { name: 'retry'; id: string | undefined }

/** A command, and the service's address if `--url` names one. */
export type Arguments = { command: Command; url?: string }

const options = {
  url: { type: 'string' },
  state: { type: 'string' },
  search: { type: 'string' },
  page: { type: 'string' },
  reason: { type: 'string' },
  note: { type: 'string' },
  sqlite: { type: 'string' },
  sha256: { type: 'string' },
  to: { type: 'string' },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const
const optionNames: readonly string[] = Object.keys(options)

/** True for an option, mistyped ones included. A mistyped option is never sent as a reply. */
const isOption = (argument: string) => argument === '-h' || /^--[a-z]+(=|$)/.test(argument)

/** Inserts `--` before the text of a reply, which may begin with a hyphen. */
function protectReply(args: readonly string[]): string[] {
  const [name, id, text = ''] = args
  const needsTerminator = name === 'reply' && text.startsWith('-') && !isOption(text)
  if (!needsTerminator || id === undefined) return [...args]
  return [name, id, ...args.slice(3), '--', text]
}

/** Splits a command line into options and positional arguments. */
function parse(args: readonly string[], locale: Locale) {
  const words = protectReply(args)
  const { values, positionals, tokens } = parseArgs({
    args: words,
    options,
    allowPositionals: true,
    // Errors are reported below, in the language of the terminal.
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName: option, value, index } = token
    if (!optionNames.includes(name))
      throw new CommandError(
        m.terminal_unknown_option({ option: words[index] ?? option }, { locale }),
      )
    const takesValue = options[name as keyof typeof options].type === 'string'
    if (takesValue && value === undefined)
      throw new CommandError(m.terminal_option_without_value({ option }, { locale }))
  }
  return { options: values as Options, positionals }
}

type Options = Partial<
  Record<
    'url' | 'state' | 'search' | 'page' | 'reason' | 'note' | 'sqlite' | 'sha256' | 'to',
    string
  >
> &
  Record<'all' | 'json' | 'help', boolean>

/** How many operands a command takes, if any. */
const operandCounts: Partial<Record<Command['name'], number>> = {
  reply: 2,
  ticket: 1,
  retry: 1,
  'start-empty': 1,
  project: 1,
  suspend: 1,
  resume: 1,
  move: 1,
  'runtime-list': 1,
  'runtime-add': 3,
  'cluster-check': 1,
  'cluster-list': 1,
  'cluster-state': 3,
}

/** Parses a command line. Throws a `CommandError` with a message for the operator. */
export function readArguments(args: readonly string[], locale: Locale): Arguments {
  const { options, positionals } = parse(args, locale)
  const [name, ...operands] = positionals
  if (options.help || name === 'help') return { command: { name: 'help' } }
  const command = readCommand(name, operands, options, locale)
  const excess = operands[operandCounts[command.name] ?? 0]
  if (excess !== undefined && name === 'reply')
    throw new CommandError(m.operator_text_in_quotes({}, { locale }))
  if (excess !== undefined)
    throw new CommandError(m.terminal_excess_argument({ argument: excess }, { locale }))
  return { command, url: options.url }
}

function readCommand(
  name: string | undefined,
  operands: string[],
  options: Options,
  locale: Locale,
): Command {
  const [id, text] = operands
  switch (name) {
    case 'login':
    case 'logout':
    case 'issue':
    case 'issuing':
      return { name }
    case 'tickets':
      return {
        name,
        state: readState(options.state, ticketStates, locale),
        search: options.search,
        page: readPage(options.page, locale),
      }
    case 'ticket':
      if (!id) throw new CommandError(m.operator_id_missing({ command: name }, { locale }))
      return { name, id, all: options.all }
    case 'reply':
      if (!id) throw new CommandError(m.operator_id_missing({ command: name }, { locale }))
      if (text === undefined) throw new CommandError(m.operator_text_missing({}, { locale }))
      return { name, id, text }
    case 'project':
    case 'resume':
    case 'start-empty':
      return { name, key: requireKey(id, name, locale) }
    case 'suspend':
      return {
        name,
        key: requireKey(id, name, locale),
        reason: readReason(options.reason, locale),
        note: options.note,
      }
    case 'move':
      if (!id || !options.to) throw new CommandError(m.operator_move_usage({}, { locale }))
      return { name, key: id, target: options.to, json: options.json }
    case 'emails':
      return {
        name,
        state: readState(options.state, stuckEmailStates, locale),
        page: readPage(options.page, locale),
      }
    case 'retry':
      if (!id && !options.all)
        throw new CommandError(m.operator_id_missing({ command: name }, { locale }))
      return { name, id }
    case 'runtime':
      return readRuntimeCommand(operands, options, locale)
    case 'cluster':
      return readClusterCommand(operands, options, locale)
    case undefined:
      throw new CommandError(m.operator_usage({}, { locale }))
    default:
      throw new CommandError(m.terminal_unknown_command({ command: name }, { locale }))
  }
}

function requireKey(key: string | undefined, command: string, locale: Locale) {
  if (!key) throw new CommandError(m.operator_key_missing({ command }, { locale }))
  return key
}

function readReason(reason: string | undefined, locale: Locale) {
  const knownReason = suspensionReasons.find((each) => each === reason)
  if (knownReason) return knownReason
  const reasons = formatList(suspensionReasons, locale, 'narrow')
  throw new CommandError(m.operator_reason_wrong({ reasons }, { locale }))
}

/** `runtime list` and `runtime add wordpress ARCHIVE --sqlite ARCHIVE`. */
function readRuntimeCommand(
  [action, name, archive]: string[],
  { sqlite, sha256 }: Options,
  locale: Locale,
): Command {
  if (action === 'list') return { name: 'runtime-list' }
  const runtime = versionedRuntimes.find((each) => each === name)
  if (action !== 'add' || !runtime || archive === undefined || sqlite === undefined)
    throw new CommandError(m.operator_runtime_usage({}, { locale }))
  return { name: 'runtime-add', runtime, archive, sqlite, sha256 }
}

/** `cluster check`, `cluster list` and `cluster state NAME STATE`. */
function readClusterCommand(
  [action, cluster, state]: string[],
  { json }: Options,
  locale: Locale,
): Command {
  if (action === 'check') return { name: 'cluster-check', json }
  if (action === 'list') return { name: 'cluster-list' }
  const knownState = clusterStates.find((each) => each === state)
  if (action !== 'state' || !cluster || !knownState)
    throw new CommandError(m.operator_cluster_usage({}, { locale }))
  return { name: 'cluster-state', cluster, state: knownState }
}

function readState<State extends string>(
  state: string | undefined,
  states: readonly State[],
  locale: Locale,
): State | undefined {
  const knownState = states.find((each) => each === state)
  if (state !== undefined && !knownState)
    throw new CommandError(
      m.operator_state_wrong({ states: formatList(states, locale, 'narrow') }, { locale }),
    )
  return knownState
}

function readPage(page: string | undefined, locale: Locale) {
  if (page !== undefined && !/^[1-9]\d{0,5}$/.test(page))
    throw new CommandError(m.operator_page_wrong({}, { locale }))
  return page === undefined ? undefined : Number(page)
}

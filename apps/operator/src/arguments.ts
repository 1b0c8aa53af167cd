import { type TicketState, ticketStates } from '@slipway/contract/support'
import { type Locale, m } from '@slipway/phrases'
import { Failure } from './failure.ts'

export type Command =
  | { name: 'help' | 'login' | 'logout' }
  | { name: 'tickets'; state?: TicketState; search?: string; page?: number }
  | { name: 'ticket'; id: string; all: boolean }
  | { name: 'reply'; id: string; text: string }

/** A command, and the address of the service if it is given. */
export type Arguments = { command: Command; url?: string }

const optionNames = ['url', 'state', 'search', 'page'] as const
type Options = Partial<Record<(typeof optionNames)[number], string>> & { all: boolean }

/** What looks like an option is never sent as a reply, be it mistyped. */
const isOption = (argument: string) => argument === '-h' || /^--[a-z]+(=|$)/.test(argument)

/** Sorts the options from the rest. A reply may begin with a hyphen, so what follows its ticket is taken as it is. */
function sort(args: readonly string[], locale: Locale) {
  const options: Omit<Options, 'all'> = {}
  const rest: string[] = []
  const waiting = [...args]
  let help = false
  let all = false
  for (let given = waiting.shift(); given !== undefined; given = waiting.shift()) {
    const isText = rest[0] === 'reply' && rest.length === 2 && !isOption(given)
    if (isText || !given.startsWith('-')) rest.push(given)
    else if (given === '--help' || given === '-h') help = true
    else if (given === '--all') all = true
    else {
      const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(given) ?? []
      const option = optionNames.find((each) => each === name)
      if (!option) throw new Failure(m.operator_unknown_option({ option: given }, { locale }))
      const text = value ?? waiting.shift()
      if (text === undefined)
        throw new Failure(m.operator_option_without_value({ option: given }, { locale }))
      options[option] = text
    }
  }
  return { options: { ...options, all }, rest, help }
}

/** Reads a command line. Throws a `Failure` that says what is wrong with it. */
export function readArguments(args: readonly string[], locale: Locale): Arguments {
  const { options, rest, help } = sort(args, locale)
  const { url } = options
  const [name, ...given] = rest
  if (help || name === 'help') return { command: { name: 'help' } }
  const most = name === 'reply' ? 2 : name === 'ticket' ? 1 : 0
  const command = readCommand(name, given, options, locale)
  if (name === 'reply' && given.length > most)
    throw new Failure(m.operator_text_in_quotes({}, { locale }))
  if (given.length > most)
    throw new Failure(m.operator_too_much({ argument: given[most] ?? '' }, { locale }))
  return { command, url }
}

function readCommand(
  name: string | undefined,
  [id, text]: string[],
  options: Options,
  locale: Locale,
): Command {
  switch (name) {
    case 'login':
    case 'logout':
      return { name }
    case 'tickets':
      return { name, ...readFilter(options, locale) }
    case 'ticket':
      if (!id) throw new Failure(m.operator_id_missing({ command: name }, { locale }))
      return { name, id, all: options.all }
    case 'reply':
      if (!id) throw new Failure(m.operator_id_missing({ command: name }, { locale }))
      if (text === undefined) throw new Failure(m.operator_text_missing({}, { locale }))
      return { name, id, text }
    case undefined:
      throw new Failure(m.operator_usage({}, { locale }))
    default:
      throw new Failure(m.operator_unknown_command({ command: name }, { locale }))
  }
}

function readFilter({ state, search, page }: Options, locale: Locale) {
  const known = ticketStates.find((each) => each === state)
  if (state !== undefined && !known)
    throw new Failure(m.operator_state_wrong({ states: ticketStates.join(', ') }, { locale }))
  if (page !== undefined && !/^[1-9]\d{0,5}$/.test(page))
    throw new Failure(m.operator_page_wrong({}, { locale }))
  return { state: known, search, page: page === undefined ? undefined : Number(page) }
}

import { parseArgs } from 'node:util'
import { type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'

const options = {
  url: { type: 'string' },
  project: { type: 'string', short: 'p' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  file: { type: 'string' },
  follow: { type: 'boolean', short: 'f' },
  runtime: { type: 'string' },
  source: { type: 'string' },
  limit: { type: 'string', short: 'n' },
} as const
type OptionName = keyof typeof options

/** The options of every command. */
const general: readonly OptionName[] = ['url', 'json', 'help', 'version']

/** Each command with the number of its operands, how many are required, and its options. */
const commands = {
  help: { operands: 1, required: 0, options: [] },
  login: { operands: 0, required: 0, options: [] },
  logout: { operands: 0, required: 0, options: [] },
  whoami: { operands: 0, required: 0, options: [] },
  projects: { operands: 0, required: 0, options: [] },
  link: { operands: 1, required: 0, options: ['project'] },
  deploy: { operands: 1, required: 0, options: ['project', 'runtime'] },
  releases: { operands: 0, required: 0, options: ['project'] },
  rollback: { operands: 1, required: 1, options: ['project'] },
  logs: { operands: 0, required: 0, options: ['project', 'follow', 'source', 'limit'] },
  'env list': { operands: 0, required: 0, options: ['project'] },
  'env set': { operands: 1, required: 0, options: ['project', 'file'] },
  'env unset': { operands: 100, required: 1, options: ['project'] },
  'domains list': { operands: 0, required: 0, options: ['project'] },
  'domains add': { operands: 1, required: 1, options: ['project'] },
  'domains check': { operands: 1, required: 0, options: ['project'] },
  'domains primary': { operands: 1, required: 1, options: ['project'] },
  'domains remove': { operands: 1, required: 1, options: ['project'] },
  open: { operands: 0, required: 0, options: ['project'] },
} as const satisfies Record<
  string,
  { operands: number; required: number; options: readonly OptionName[] }
>
export type CommandName = keyof typeof commands

/** A wrong command line. Its exit code differs from that of a failed command. */
export class UsageError extends CommandError {}

export type Arguments = {
  command: CommandName
  operands: string[]
  url?: string | undefined
  project?: string | undefined
  file?: string | undefined
  runtime?: string | undefined
  source?: string | undefined
  limit?: string | undefined
  follow: boolean
  json: boolean
}

const isCommand = (name: string): name is CommandName => name in commands

/** Commands that are followed by what to do; by default they list. */
const groups = ['env', 'domains']

function splitCommand([name, next, ...rest]: string[]): [string | undefined, string[]] {
  if (name === undefined || !groups.includes(name))
    return [name, next === undefined ? [] : [next, ...rest]]
  return [`${name} ${next ?? 'list'}`, rest]
}

/** True for `--json` anywhere: errors are then JSON, too. */
export const wantsJson = (args: readonly string[]) => args.includes('--json')

/** Parses a command line. Throws a `UsageError` with a message for the user. */
export function readArguments(args: readonly string[], locale: Locale): Arguments {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    // Errors are reported below, in the language of the terminal.
    strict: false,
    tokens: true,
  })
  const given = values as Partial<Record<OptionName, string & boolean>>
  const [name, operands] = splitCommand(positionals)
  const read = {
    operands,
    url: given.url,
    project: given.project,
    file: given.file,
    runtime: given.runtime,
    source: given.source,
    limit: given.limit,
    follow: given.follow === true,
    json: given.json === true,
  }
  if (given.version) return { ...read, command: 'help', operands: ['version'] }
  if (name === undefined || given.help) {
    const topic = name === undefined ? [] : [positionals[0] ?? '']
    return { ...read, command: 'help', operands: topic }
  }
  if (!isCommand(name))
    throw new UsageError(m.operator_unknown_command({ command: name }, { locale }))

  const command = commands[name]
  const allowed: readonly string[] = [...general, ...command.options]
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name: option, rawName, value } = token
    if (!allowed.includes(option))
      throw new UsageError(m.operator_unknown_option({ option: rawName }, { locale }))
    if (options[option as OptionName].type === 'string' && !value)
      throw new UsageError(m.operator_option_without_value({ option: rawName }, { locale }))
  }
  const excess = operands[command.operands]
  if (excess !== undefined)
    throw new UsageError(m.operator_too_much({ argument: excess }, { locale }))
  if (operands.length < command.required)
    throw new UsageError(m.cli_operand_missing({ command: name }, { locale }))
  return { ...read, command: name }
}

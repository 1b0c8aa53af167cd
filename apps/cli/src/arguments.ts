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
  image: { type: 'string' },
  port: { type: 'string' },
  health: { type: 'string' },
  user: { type: 'string' },
  data: { type: 'string' },
  source: { type: 'string' },
  limit: { type: 'string', short: 'n' },
  team: { type: 'string' },
  region: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  new: { type: 'string' },
} as const
type OptionName = keyof typeof options

/** The options of every command. */
const general: readonly OptionName[] = ['url', 'json', 'help', 'version']

const commands = {
  version: { maxOperands: 0, minOperands: 0, options: [] },
  help: { maxOperands: 1, minOperands: 0, options: [] },
  login: { maxOperands: 0, minOperands: 0, options: [] },
  logout: { maxOperands: 0, minOperands: 0, options: [] },
  whoami: { maxOperands: 0, minOperands: 0, options: [] },
  projects: { maxOperands: 0, minOperands: 0, options: [] },
  create: { maxOperands: 1, minOperands: 1, options: ['runtime', 'team', 'region'] },
  link: { maxOperands: 1, minOperands: 0, options: ['project'] },
  deploy: {
    maxOperands: 1,
    minOperands: 0,
    options: ['project', 'runtime', 'image', 'port', 'health', 'user', 'data'],
  },
  releases: { maxOperands: 0, minOperands: 0, options: ['project'] },
  update: { maxOperands: 0, minOperands: 0, options: ['project'] },
  rollback: { maxOperands: 1, minOperands: 1, options: ['project'] },
  logs: { maxOperands: 0, minOperands: 0, options: ['project', 'follow', 'source', 'limit'] },
  traffic: { maxOperands: 0, minOperands: 0, options: ['project'] },
  stop: { maxOperands: 0, minOperands: 0, options: ['project'] },
  start: { maxOperands: 0, minOperands: 0, options: ['project'] },
  restart: { maxOperands: 0, minOperands: 0, options: ['project'] },
  delete: { maxOperands: 1, minOperands: 0, options: ['project', 'yes'] },
  'env list': { maxOperands: 0, minOperands: 0, options: ['project'] },
  'env set': { maxOperands: 1, minOperands: 0, options: ['project', 'file'] },
  'env unset': { maxOperands: 100, minOperands: 1, options: ['project'] },
  'domains list': { maxOperands: 0, minOperands: 0, options: ['project'] },
  'domains add': { maxOperands: 1, minOperands: 1, options: ['project'] },
  'domains check': { maxOperands: 1, minOperands: 0, options: ['project'] },
  'domains primary': { maxOperands: 1, minOperands: 1, options: ['project'] },
  'domains remove': { maxOperands: 1, minOperands: 1, options: ['project'] },
  'backups list': { maxOperands: 0, minOperands: 0, options: ['project'] },
  'backups create': { maxOperands: 0, minOperands: 0, options: ['project'] },
  'backups restore': { maxOperands: 1, minOperands: 1, options: ['project', 'new'] },
  'backups download': { maxOperands: 2, minOperands: 1, options: ['project'] },
  open: { maxOperands: 0, minOperands: 0, options: ['project'] },
} as const satisfies Record<
  string,
  { maxOperands: number; minOperands: number; options: readonly OptionName[] }
>
export type CommandName = keyof typeof commands

/** A wrong command line. Its exit code differs from a failed command's. */
export class UsageError extends CommandError {}

export type Arguments = {
  command: CommandName
  operands: string[]
  url?: string | undefined
  project?: string | undefined
  file?: string | undefined
  runtime?: string | undefined
  image?: string | undefined
  port?: string | undefined
  health?: string | undefined
  user?: string | undefined
  data?: string | undefined
  source?: string | undefined
  limit?: string | undefined
  team?: string | undefined
  region?: string | undefined
  newName?: string | undefined
  follow: boolean
  yes: boolean
  json: boolean
}

const isCommand = (name: string): name is CommandName => name in commands

/** Commands with a subcommand, `list` by default. */
const groups = ['env', 'domains', 'backups']

function splitCommand([name, next, ...rest]: string[]): [string | undefined, string[]] {
  if (name === undefined || !groups.includes(name))
    return [name, next === undefined ? [] : [next, ...rest]]
  return [`${name} ${next ?? 'list'}`, rest]
}

/** True for `--json` at any position: even the errors of a wrong command line are JSON then. */
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
  const textOf = (option: OptionName) => {
    const value = values[option]
    return typeof value === 'string' ? value : undefined
  }
  const [name, operands] = splitCommand(positionals)
  const parsed = {
    operands,
    url: textOf('url'),
    project: textOf('project'),
    file: textOf('file'),
    runtime: textOf('runtime'),
    image: textOf('image'),
    port: textOf('port'),
    health: textOf('health'),
    user: textOf('user'),
    data: textOf('data'),
    source: textOf('source'),
    limit: textOf('limit'),
    team: textOf('team'),
    region: textOf('region'),
    newName: textOf('new'),
    follow: values.follow === true,
    yes: values.yes === true,
    json: values.json === true,
  }
  if (values.version === true) return { ...parsed, command: 'version', operands: [] }
  if (name === undefined || values.help === true) {
    const topic = name === undefined ? [] : [positionals[0] ?? '']
    return { ...parsed, command: 'help', operands: topic }
  }
  if (!isCommand(name))
    throw new UsageError(m.terminal_unknown_command({ command: name }, { locale }))

  const command = commands[name]
  const allowed: readonly string[] = [...general, ...command.options]
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name: option, rawName, value } = token
    if (!allowed.includes(option))
      throw new UsageError(m.terminal_unknown_option({ option: rawName }, { locale }))
    if (options[option as OptionName].type === 'string' && !value)
      throw new UsageError(m.terminal_option_without_value({ option: rawName }, { locale }))
  }
  const excess = operands[command.maxOperands]
  if (excess !== undefined)
    throw new UsageError(m.terminal_excess_argument({ argument: excess }, { locale }))
  if (operands.length < command.minOperands)
    throw new UsageError(m.cli_operand_missing({ command: name }, { locale }))
  return { ...parsed, command: name }
}

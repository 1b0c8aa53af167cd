import { readFile } from 'node:fs/promises'
import { parseDotenv } from '@slipway/contract/dotenv'
import {
  changeEnvironment,
  listEnvironment,
  variableNameProblem,
} from '@slipway/contract/environment'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import { PromptAborted, prompt, readAll } from '@slipway/terminal/prompt'
import { withRetries } from '@slipway/terminal/service'
import { oneLine } from '@slipway/terminal/text'
import { UsageError } from './arguments.ts'
import { type CommandContext, type CommandResult, client, findProject } from './context.ts'

/** Lists the names of the variables. No call returns their values. */
export async function listVariables(
  context: CommandContext,
  project: string | undefined,
): Promise<CommandResult> {
  const { id } = await findProject(context, project)
  const { variables } = await withRetries(() =>
    client(context)(listEnvironment, { params: { id } }),
  )
  const none = m.cli_env_none({}, { locale: context.locale })
  return {
    json: variables,
    lines: variables.length === 0 ? [none] : variables.map(({ name }) => name),
  }
}

/** Sets a variable to a prompted or piped value, or all variables of a `.env` file. */
export async function setVariables(
  context: CommandContext,
  { name, file, project }: Record<'name' | 'file' | 'project', string | undefined>,
): Promise<CommandResult> {
  const foundProject = await findProject(context, project)
  const set = await readVariables(context, name, file)
  return change(context, foundProject, { set })
}

export async function unsetVariables(
  context: CommandContext,
  names: readonly string[],
  project: string | undefined,
): Promise<CommandResult> {
  const foundProject = await findProject(context, project)
  const { variables } = await withRetries(() =>
    client(context)(listEnvironment, { params: { id: foundProject.id } }),
  )
  const unknown = names.filter((name) => !variables.some((variable) => variable.name === name))
  if (unknown.length > 0)
    throw new CommandError(
      m.cli_env_unknown({ names: oneLine(unknown.join(', ')) }, { locale: context.locale }),
    )
  return change(context, foundProject, { remove: [...names] })
}

async function change(
  context: CommandContext,
  { id, runtime }: Project,
  body: { set?: Record<string, string>; remove?: string[] },
): Promise<CommandResult> {
  const { variables } = await withRetries(() =>
    client(context)(changeEnvironment, { params: { id }, body }),
  )
  // A static site has no process.
  const done = runtime === 'static' ? m.cli_env_stored : m.cli_env_changed
  return { json: variables, lines: [done({}, { locale: context.locale })] }
}

async function readVariables(
  context: CommandContext,
  name: string | undefined,
  file: string | undefined,
): Promise<Record<string, string>> {
  const { locale, streams } = context
  if ((name === undefined) === (file === undefined))
    throw new UsageError(m.cli_env_usage({}, { locale }))
  if (file !== undefined) {
    const text = file === '-' ? await readAll(streams) : await readText(context, file)
    const { variables, wrongLines } = parseDotenv(text)
    if (wrongLines.length > 0)
      throw new CommandError(m.cli_env_file_wrong({ lines: wrongLines.join(', ') }, { locale }))
    return variables
  }
  // A value on the command line would be in the shell's history and in the list of processes.
  if (name?.includes('=')) throw new UsageError(m.cli_env_no_value({}, { locale }))
  if (name === undefined || variableNameProblem(name) === 'form_variable_name')
    throw new UsageError(m.form_variable_name({}, { locale }))
  return { [name]: await readValue(context, name) }
}

const readText = ({ locale }: CommandContext, file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(m.cli_file_missing({ file }, { locale }))
    throw new CommandError(m.cli_file_unreadable({ reason: error.message }, { locale }))
  })

async function readValue({ locale, streams }: CommandContext, name: string): Promise<string> {
  if (!streams.input.isTTY) return (await readAll(streams)).replace(/\r?\n$/, '')
  try {
    return await prompt(streams, m.cli_env_ask({ name }, { locale }), { secret: true })
  } catch (error) {
    if (error instanceof PromptAborted)
      throw new CommandError(m.cli_cancelled({}, { locale }), { cause: error })
    throw error
  }
}

import { randomUUID } from 'node:crypto'
import {
  changeProjectPower,
  createProject,
  deleteProject,
  restartProject,
} from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import type { Runtime } from '@slipway/contract/runtimes'
import { siteOrigin } from '@slipway/contract/site-url'
import { listTeams } from '@slipway/contract/teams'
import { type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import { PromptAborted, prompt, readLines } from '@slipway/terminal/prompt'
import { withRetries } from '@slipway/terminal/service'
import { oneLine } from '@slipway/terminal/text'
import { linkFile, readLink, removeLink, writeLink } from './config.ts'
import {
  type CommandContext,
  type CommandResult,
  client,
  findProject,
  onlyOne,
  readRuntime,
  retryOptions,
} from './context.ts'

type Named = { id: string; name: string }

/**
 * The id of the item with this id or name; without a value, of the only one. Throws a
 * `CommandError` if none or several match.
 */
function choose(
  items: readonly Named[],
  value: string | undefined,
  option: '--team' | '--region',
  locale: Locale,
): string {
  const matches = items.filter(({ name }) => name === value)
  const chosen =
    value === undefined
      ? onlyOne(items)
      : (items.find(({ id }) => id === value) ?? onlyOne(matches))
  if (chosen) return chosen.id
  const choices = items.map((item) => `${oneLine(item.name)} (${item.id})`).join(', ')
  throw new CommandError(m.cli_choice_unclear({ option, choices }, { locale }))
}

/** Runtimes whose site appears once a folder is deployed. */
const folderRuntimes: readonly Runtime[] = ['static', 'node', 'php']

/** Creates a project, and links the current folder to it. */
export async function create(
  context: CommandContext,
  {
    name = '',
    runtime: runtimeOption,
    team,
    region,
  }: Partial<Record<'name' | 'runtime' | 'team' | 'region', string | undefined>>,
): Promise<CommandResult> {
  const { locale } = context
  const runtime = readRuntime(runtimeOption, locale)
  const folder = process.cwd()
  const linked = await readLink(folder)
  if (linked !== undefined)
    throw new CommandError(m.cli_linked_already({ key: linked, file: linkFile }, { locale }))
  const call = client(context)
  const [teams, regions] = await withRetries(
    () => Promise.all([call(listTeams), call(listRegions)]),
    retryOptions(context),
  )
  const body = {
    name,
    runtime,
    domain: null,
    teamId: choose(teams, team, '--team', locale),
    regionId: choose(regions, region, '--region', locale),
    idempotencyKey: randomUUID(),
  }
  const project = await withRetries(() => call(createProject, { body }), retryOptions(context))
  const url = siteOrigin(project)
  const json = { project, url }
  const linkError = await writeLink(folder, project.key).catch((error: Error) => error)
  // Not thrown: the user must learn the key of the project that exists now.
  if (linkError) {
    const texts = { key: project.key, reason: linkError.message }
    return { json, lines: [m.cli_created_unlinked(texts, { locale }), url], failed: true }
  }
  return {
    json,
    lines: [
      m.cli_created_project({ key: project.key, file: linkFile }, { locale }),
      url,
      ...(folderRuntimes.includes(project.runtime) ? [m.cli_deploy_next({}, { locale })] : []),
    ],
  }
}

export async function changePower(
  context: CommandContext,
  option: string | undefined,
  power: 'running' | 'stopped',
): Promise<CommandResult> {
  const { locale, signal } = context
  const { id } = await findProject(context, option)
  const project = await withRetries(
    () => client(context)(changeProjectPower, { params: { id }, body: { power } }),
    { signal },
  )
  const phrase = power === 'stopped' ? m.projects_stopped_toast : m.projects_starting_toast
  return { json: project, lines: [phrase({ name: oneLine(project.name) }, { locale })] }
}

export async function restart(
  context: CommandContext,
  option: string | undefined,
): Promise<CommandResult> {
  const { locale } = context
  const { id } = await findProject(context, option)
  // Not retried: a second request would restart the site once more.
  const project = await client(context)(restartProject, { params: { id } })
  const name = oneLine(project.name)
  return { json: project, lines: [m.projects_restarting_toast({ name }, { locale })] }
}

/** Deletes a project once its name is typed, or at once with `--yes`. */
export async function remove(
  context: CommandContext,
  { project: option, yes }: { project: string | undefined; yes: boolean },
): Promise<CommandResult> {
  const { locale } = context
  const { id, key, name } = await findProject(context, option)
  if (!yes) await confirmName(context, name)
  // Not retried: a second request would find it deleted already.
  const project = await client(context)(deleteProject, { params: { id } })
  const folder = process.cwd()
  if ((await readLink(folder)) === key) await removeLink(folder)
  return { json: project, lines: [m.projects_deleted_toast({ name: oneLine(name) }, { locale })] }
}

/** Prompts for the name of a project. Throws a `CommandError` for any other text. */
async function confirmName({ streams, locale }: CommandContext, name: string) {
  const shown = oneLine(name)
  try {
    const typed = streams.input.isTTY
      ? await prompt(streams, `${m.projects_delete_type({ name: shown }, { locale })}\n> `)
      : (await readLines(streams, 1))[0]
    if (typed?.trim() === shown) return
  } catch (error) {
    if (!(error instanceof PromptAborted)) throw error
  }
  throw new CommandError(m.cli_not_deleted({ name: shown }, { locale }))
}

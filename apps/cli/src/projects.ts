import { spawn } from 'node:child_process'
import { shortReference } from '@slipway/contract/container-images'
import { type Project, shownState } from '@slipway/contract/projects'
import { listReleases, type Release } from '@slipway/contract/releases'
import { siteOrigin } from '@slipway/contract/site-url'
import { m } from '@slipway/phrases'
import { withRetries } from '@slipway/terminal/service'
import { table } from '@slipway/terminal/table'
import { oneLine } from '@slipway/terminal/text'
import { linkFile, writeLink } from './config.ts'
import {
  type CommandContext,
  type CommandResult,
  client,
  findProject,
  listOwnProjects,
} from './context.ts'
import { failureText } from './deploy.ts'

export async function showProjects(context: CommandContext): Promise<CommandResult> {
  const { locale, terminal } = context
  const projects = await listOwnProjects(context)
  if (projects.length === 0) return { json: [], lines: [m.cli_no_projects({}, { locale })] }
  return {
    json: projects,
    lines: table<Project>(
      [
        { title: m.cli_key({}, { locale }), cell: ({ key }) => key },
        {
          title: m.account_name({}, { locale }),
          cell: ({ name }) => oneLine(name),
          narrowWidth: { preferred: 30, min: 8 },
        },
        {
          title: m.cli_state({}, { locale }),
          cell: (project) => m[`projects_state_${shownState(project)}`]({}, { locale }),
        },
        { title: m.cli_runtime({}, { locale }), cell: ({ runtime }) => runtime },
        { title: m.cli_address({}, { locale }), cell: siteOrigin },
      ],
      projects,
      { columns: terminal.columns, heading: (text) => terminal.style('dim', text) },
    ),
  }
}

/** Links the current folder to a project: later commands in it need no `--project`. */
export async function link(
  context: CommandContext,
  option: string | undefined,
): Promise<CommandResult> {
  const project = await findProject(context, option)
  await writeLink(process.cwd(), project.key)
  return {
    json: { project: project.key },
    lines: [
      m.cli_linked({ name: oneLine(project.name), file: linkFile }, { locale: context.locale }),
    ],
  }
}

/** The releases of a project, the newest first. */
export async function showReleases(
  context: CommandContext,
  option: string | undefined,
): Promise<CommandResult> {
  const { locale, terminal } = context
  const { id, power } = await findProject(context, option)
  const { items } = await withRetries(() =>
    client(context)(listReleases, { params: { id }, query: { perPage: 100 } }),
  )
  if (items.length === 0) return { json: [], lines: [m.release_none({}, { locale })] }
  const noteOf = (release: Release) => {
    const { image, rollbackOf } = release
    return [
      image && shortReference(image.reference),
      rollbackOf === null
        ? failureText(release, locale)
        : m.release_rollback_of({ number: rollbackOf }, { locale }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return {
    json: items,
    lines: table<Release>(
      [
        { title: m.cli_number({}, { locale }), cell: ({ number }) => String(number) },
        {
          title: m.cli_state({}, { locale }),
          cell: ({ state }) =>
            state === 'live' && power !== 'running'
              ? m.release_state_deployed({}, { locale })
              : m[`release_state_${state}`]({}, { locale }),
          style: (text, { state }) => (state === 'live' ? terminal.style('bold', text) : text),
        },
        { title: m.cli_created({}, { locale }), cell: ({ createdAt }) => terminal.ago(createdAt) },
        {
          title: m.cli_user({}, { locale }),
          cell: ({ createdBy }) => oneLine(createdBy?.name ?? ''),
          narrowWidth: { preferred: 24, min: 8 },
        },
        { title: '', cell: noteOf, narrowWidth: { preferred: 60, min: 10 } },
      ],
      items,
      { columns: terminal.columns, heading: (text) => terminal.style('dim', text) },
    ),
  }
}

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens the site in the browser, and prints its address. */
export async function openSite(
  context: CommandContext,
  option: string | undefined,
): Promise<CommandResult> {
  const url = siteOrigin(await findProject(context, option))
  const [program = 'xdg-open', ...args] = openers[process.platform] ?? ['xdg-open']
  // Without a browser the printed address is enough.
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
  return { json: { url }, lines: [url] }
}

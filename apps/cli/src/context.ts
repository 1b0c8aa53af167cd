import type { Client } from '@slipway/contract/client'
import { minute, second } from '@slipway/contract/limits'
import { listProjects, type Project } from '@slipway/contract/projects'
import { type Runtime, runtimes } from '@slipway/contract/runtimes'
import { type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import type { PromptStreams } from '@slipway/terminal/prompt'
import {
  createService,
  type RetryOptions,
  serviceUrl,
  withRetries,
} from '@slipway/terminal/service'
import type { Terminal } from '@slipway/terminal/terminal'
import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici'
import { UsageError } from './arguments.ts'
import { linkFile, readLink, readLogin } from './config.ts'

/** The delays and timeouts of calls, in milliseconds. */
export type Timings = {
  /** The delay before each retry of a call. Together they last as long as a restart. */
  retryDelays: readonly number[]
  /** After this time without progress, an upload is retried, and a download fails. */
  stallTimeout: number
  /** The poll interval of a release, a backup or a restore. */
  pollInterval: number
}

export const defaultTimings: Timings = {
  retryDelays: [1, 2, 4, 8, 16].map((seconds) => seconds * second),
  stallTimeout: minute,
  pollInterval: 0.5 * second,
}

export type CommandContext = {
  url: string
  /** Null before a login. */
  token: string | null
  locale: Locale
  /** Aborted by Ctrl-C, and once the standard output is closed. */
  signal: AbortSignal
  streams: PromptStreams
  terminal: Terminal
  loginFile: string
  timings: Timings
  /** Reports progress to the user, on standard error. */
  printStatus(text: string): void
}

export type CommandResult = {
  /** The result that `--json` prints. */
  json: unknown
  lines: string[]
  /** True if the command ran and its result is a failure. */
  failed?: boolean
}

/** Defined by `rolldown.config.ts`. */
declare const __CLI_VERSION__: string | undefined

/** The version of this package; `dev` when it is not bundled. */
export const cliVersion = typeof __CLI_VERSION__ === 'undefined' ? 'dev' : __CLI_VERSION__

// HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Node's own `fetch` supports them only from version 24.
const dispatcher = new EnvHttpProxyAgent({ bodyTimeout: 0, headersTimeout: 0 })

export const send = ((input: string, init?: RequestInit) => {
  const headers = new Headers(init?.headers)
  headers.set('User-Agent', `slipway/${cliVersion}`)
  const isStream = typeof init?.body === 'object' && Symbol.asyncIterator in (init.body ?? {})
  return undiciFetch(input, {
    ...(init as object),
    headers: Object.fromEntries(headers),
    dispatcher,
    ...(isStream ? { duplex: 'half' } : {}),
  })
}) as unknown as typeof fetch

/** The service's client without a login. */
export const guest = ({
  url,
  locale,
  signal,
}: Pick<CommandContext, 'url' | 'locale' | 'signal'>): Client =>
  createService(url, null, locale, { send, signal })

/** The client of the logged-in user. Throws a `CommandError` without a login. */
export function client({ url, token, locale, signal }: CommandContext): Client {
  if (token === null) throw new CommandError(m.cli_not_logged_in({}, { locale }))
  return createService(url, token, locale, { send, signal })
}

/** The address and the token: of the command line, the environment, or the last login. */
export async function findLogin(
  option: string | undefined,
  env: NodeJS.ProcessEnv,
  loginFile: string,
  locale: Locale,
): Promise<{ url: string; token: string | null }> {
  const stored = await readLogin(loginFile)
  const url = serviceUrl(option ?? (env.SLIPWAY_URL || stored?.url), locale)
  const token = env.SLIPWAY_TOKEN?.trim()
  // Anything else, such as a password or several lines, must not be sent.
  if (token && !/^slipway_pat_[\w-]+$/.test(token))
    throw new CommandError(m.cli_token_malformed({}, { locale }))
  if (token) return { url, token }
  // A token is sent only to the service that issued it.
  return { url, token: stored?.url === url ? stored.token : null }
}

const isDeleted = ({ state }: Project) => state === 'deleting' || state === 'deleted'

/** The retries of a command that survives a restart of the service. */
export const retryOptions = ({
  locale,
  printStatus,
  signal,
  timings,
}: CommandContext): RetryOptions => ({
  delays: timings.retryDelays,
  signal,
  onRetry: () => printStatus(m.cli_retrying({}, { locale })),
})

/** The runtime of `--runtime`. Throws a `UsageError` for an unknown one. */
export function readRuntime(option: string | undefined, locale: Locale): Runtime | undefined {
  const runtime = runtimes.find((each) => each === option)
  if (option !== undefined && runtime === undefined)
    throw new UsageError(m.cli_runtime_unknown({ runtimes: runtimes.join(', ') }, { locale }))
  return runtime
}

/** The projects that the token can use. */
export const listOwnProjects = async (
  context: CommandContext,
  retries?: RetryOptions,
): Promise<Project[]> =>
  (await withRetries(() => client(context)(listProjects), retries)).filter(
    (each) => !isDeleted(each),
  )

/**
 * The project of `--project`, of the linked folder, or the only one of the token. With `retries`
 * the command continues after a restart of the service.
 */
export async function findProject(
  context: CommandContext,
  option: string | undefined,
  retries?: RetryOptions,
): Promise<Project> {
  const { locale } = context
  const projects = await listOwnProjects(context, retries)
  const requestedProject =
    option ?? (process.env.SLIPWAY_PROJECT || (await readLink(process.cwd())))
  if (requestedProject === undefined) {
    const [only, ...others] = projects
    if (only && others.length === 0) return only
    throw new CommandError(
      projects.length === 0
        ? m.cli_no_projects({}, { locale })
        : m.cli_project_unclear({ keys: projects.map(({ key }) => key).join(', ') }, { locale }),
    )
  }
  const project =
    projects.find(({ key, id }) => key === requestedProject || id === requestedProject) ??
    onlyOne(projects.filter(({ name }) => name === requestedProject))
  if (!project)
    throw new CommandError(
      m.cli_project_missing({ project: requestedProject, file: linkFile }, { locale }),
    )
  return project
}

export const onlyOne = <Item>(items: readonly Item[]) => (items.length === 1 ? items[0] : undefined)

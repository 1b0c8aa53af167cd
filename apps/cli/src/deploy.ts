import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits, second } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import {
  createRelease,
  type Release,
  type ReleaseDetail,
  rollBackRelease,
  viewRelease,
} from '@slipway/contract/releases'
import { type Runtime, runtimes } from '@slipway/contract/runtimes'
import type { Upload } from '@slipway/contract/upload'
import { formatBytes, formatNumber, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import { withRetries } from '@slipway/terminal/service'
import { oneLine } from '@slipway/terminal/text'
import { UsageError } from './arguments.ts'
import { type CommandContext, type CommandResult, client, findProject } from './context.ts'
import { listFiles, type PackedFile, packFiles } from './pack-folder.ts'

const pollInterval = 0.5 * second
/** Lines of the log that are shown when a release failed. */
const shownLogLines = 20

/** Uploads a folder as the next release of a project, and waits until it is live or has failed. */
export async function deploy(
  context: CommandContext,
  {
    folder = '.',
    project: option,
    runtime,
  }: { folder?: string | undefined; project?: string | undefined; runtime?: string | undefined },
): Promise<CommandResult> {
  const { locale, say } = context
  if (runtime !== undefined && !runtimes.some((each) => each === runtime))
    throw new UsageError(m.cli_runtime_unknown({ runtimes: runtimes.join(', ') }, { locale }))
  const root = resolve(folder)
  const stats = await stat(root).catch(() => undefined)
  if (!stats?.isDirectory()) throw new CommandError(m.cli_folder_missing({ folder }, { locale }))
  const project = await findProject(context, option)
  const files = await listFiles(root)
  if (files.length === 0) throw new CommandError(m.cli_folder_empty({ folder }, { locale }))
  if (files.length > limits.releaseFilesMax)
    throw new CommandError(m.release_failure_too_many_files({}, { locale }))

  const release = await upload(context, project, root, files, runtime as Runtime | undefined)
  say(m.release_checking({ number: release.number }, { locale }))
  return outcome(context, project, await waitForEnd(context, project, release))
}

/** Makes a new release with the files of an earlier one, and waits until it is live. */
export async function rollBack(
  context: CommandContext,
  { number, project: option }: { number: string | undefined; project?: string | undefined },
): Promise<CommandResult> {
  const { locale, say } = context
  if (!/^[1-9]\d{0,8}$/.test(number ?? '')) throw new UsageError(m.cli_number_wrong({}, { locale }))
  const project = await findProject(context, option)
  const idempotencyKey = randomUUID()
  const release = await withRetries(() =>
    client(context)(rollBackRelease, {
      params: { id: project.id },
      body: { number: Number(number) },
      idempotencyKey,
    }),
  )
  say(m.release_checking({ number: release.number }, { locale }))
  return outcome(context, project, await waitForEnd(context, project, release))
}

/** Uploads the files. A lost connection packs and sends them again, which makes one release. */
function upload(
  context: CommandContext,
  project: Project,
  root: string,
  files: readonly PackedFile[],
  runtime: Runtime | undefined,
): Promise<Release> {
  const { locale, say, signal, streams } = context
  const total = files.reduce((sum, { size }) => sum + size, 0)
  say(
    m.cli_uploading(
      {
        count: files.length,
        files: formatNumber(files.length, locale),
        size: formatBytes(total, locale),
        name: oneLine(project.name),
      },
      { locale },
    ),
  )
  const showsProgress = 'isTTY' in streams.output && streams.output.isTTY === true
  let shown = -1
  const onProgress = (bytes: number) => {
    const percent = Math.floor((100 * bytes) / Math.max(1, total))
    if (!showsProgress || percent === shown) return
    shown = percent
    streams.output.write(`\r${percent} %${percent === 100 ? '\n' : ''}`)
  }
  const idempotencyKey = randomUUID()
  return withRetries(async () => {
    const archive = packFiles(root, files, onProgress)
    let broken: Error | undefined
    archive.on('error', (error) => {
      broken = error
    })
    try {
      return await client(context)(
        createRelease,
        {
          params: { id: project.id },
          query: { runtime },
          body: Object.assign(archive, { type: 'application/gzip' }) as unknown as Upload,
          idempotencyKey,
        },
        signal,
      )
    } catch (error) {
      // A file that cannot be read looks like a lost connection.
      if (broken && !signal.aborted)
        throw new CommandError(m.cli_file_unreadable({ reason: broken.message }, { locale }))
      throw error
    } finally {
      archive.destroy()
    }
  })
}

/** Waits until the service has checked a release. Ctrl-C ends the waiting, not the release. */
async function waitForEnd(
  context: CommandContext,
  project: Project,
  release: Release,
): Promise<ReleaseDetail> {
  const params = { id: project.id, number: String(release.number) }
  for (;;) {
    const current = await withRetries(() => client(context)(viewRelease, { params }))
    if (current.state !== 'checking') return current
    await sleep(pollInterval, undefined, { signal: context.signal })
  }
}

/** What became of a release: its address, or the reason with the last lines of its log. */
function outcome(
  { locale }: CommandContext,
  project: Project,
  release: ReleaseDetail,
): CommandResult {
  const { number, state } = release
  const url = siteUrl(project)
  const json = { release, url }
  if (state !== 'failed') return { json, lines: [m.release_live_now({ number }, { locale }), url] }
  const reason = failureText(release, locale)
  return {
    json,
    failed: true,
    lines: [
      m.release_failed({ number, reason }, { locale }),
      ...release.log.slice(-shownLogLines).map(({ text }) => `  ${oneLine(text)}`),
    ],
  }
}

/** The custom domain if its DNS is right, else the default address. */
export const siteUrl = ({ domain, domainVerdict, defaultUrl }: Project) =>
  domain !== null && domainVerdict === 'correct'
    ? `${new URL(defaultUrl).protocol}//${domain}`
    : defaultUrl

/** Why a release failed. */
export const failureText = (
  { failure, failureDetail }: Release,
  locale: CommandContext['locale'],
): string => {
  if (failure === null) return ''
  const detail = oneLine(failureDetail ?? '')
  return m[`release_failure_${failure}`](
    { file: detail, number: detail, code: detail, port: detail, status: detail },
    { locale },
  )
}

import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { containerImage } from '@slipway/contract/container-images'
import { limits } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import {
  createRelease,
  deployImage,
  listReleases,
  type Release,
  type ReleaseDetail,
  rollBackRelease,
  similarRuntime,
  sizeLimit,
  type UploadedRuntime,
  updateVersion,
  uploadProblem,
  viewRelease,
} from '@slipway/contract/releases'
import { type Runtime, versionedRuntimes } from '@slipway/contract/runtimes'
import { siteOrigin } from '@slipway/contract/site-url'
import type { Upload } from '@slipway/contract/upload'
import { formatBytes, formatNumber, type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError, NoResponse } from '@slipway/terminal/command-error'
import { withRetries } from '@slipway/terminal/service'
import { oneLine, splitLines } from '@slipway/terminal/text'
import { type Arguments, UsageError } from './arguments.ts'
import {
  type CommandContext,
  type CommandResult,
  client,
  findProject,
  readRuntime,
  retryOptions,
} from './context.ts'
import { listFiles, measurePacked, type PackedFile, packFiles } from './pack-folder.ts'
import { createProgress } from './upload-progress.ts'

const shownLogLines = 20

/** Uploads a folder as the next release of a project, and waits until it is live or has failed. */
export async function deploy(
  context: CommandContext,
  {
    folder = '.',
    project: option,
    runtime: runtimeOption,
  }: { folder?: string | undefined; project?: string | undefined; runtime?: string | undefined },
): Promise<CommandResult> {
  const { locale, printStatus } = context
  const runtime = readRuntime(runtimeOption, locale)
  const root = resolve(folder)
  const stats = await stat(root).catch(() => undefined)
  if (!stats?.isDirectory()) throw new CommandError(m.cli_folder_missing({ folder }, { locale }))
  const project = await findProject(context, option, retryOptions(context))
  const files = await listFiles(root)
  if (files.length === 0) throw new CommandError(m.cli_folder_empty({ folder }, { locale }))
  await checkSize(context, project, root, files)
  const release = await upload(context, project, root, files, runtime)
  printStatus(m.release_checking({ number: release.number }, { locale }))
  return outcome(context, project, await waitForEnd(context, project, release))
}

/** Rejects files that the service would reject, before minutes of uploading. */
async function checkSize(
  context: CommandContext,
  { id }: Project,
  root: string,
  files: readonly PackedFile[],
) {
  const { locale, signal } = context
  const query = { perPage: 1 }
  const { maxArchiveBytes: max } = await withRetries(
    () => client(context)(listReleases, { params: { id }, query }),
    retryOptions(context),
  )
  const counts = { files: files.length, bytes: sizeOf(files), archiveBytes: 0 }
  const throwIfTooLarge = (found: typeof counts) => {
    const rejected = uploadProblem(found, max)
    if (!rejected) return
    const { problem } = rejected
    const format = problem === 'too_many_files' ? formatNumber : formatBytes
    const texts = { found: format(rejected.found, locale), max: format(rejected.max, locale) }
    throw new CommandError(m[`release_upload_${problem}`](texts, { locale }))
  }
  throwIfTooLarge(counts)
  // Packing takes seconds: only files that might be too large are packed twice.
  if (counts.bytes <= max / 2) return
  const archiveBytes = await measurePacked(root, files, signal).catch((error: Error) => {
    signal.throwIfAborted()
    throw unreadableFile(error, locale)
  })
  throwIfTooLarge({ ...counts, archiveBytes })
}

const sizeOf = (files: readonly PackedFile[]) => files.reduce((sum, { size }) => sum + size, 0)

const unreadableFile = ({ message }: Error, locale: Locale) =>
  new CommandError(m.cli_file_unreadable({ reason: message }, { locale }))

const imageOptions = {
  reference: '--image',
  port: '--port',
  healthPath: '--health',
  userId: '--user',
  dataPath: '--data',
} as const

/** Makes a container image the next release of a project, and waits until it is live. */
export async function deployContainerImage(
  context: CommandContext,
  parsedArguments: Pick<
    Arguments,
    'operands' | 'project' | 'runtime' | 'image' | 'port' | 'health' | 'user' | 'data'
  >,
): Promise<CommandResult> {
  const { locale } = context
  const { operands, project: option, runtime, image, port, health, user, data } = parsedArguments
  if (operands.length > 0 || (runtime !== undefined && runtime !== 'image'))
    throw new UsageError(m.cli_image_alone({}, { locale }))
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const checked = containerImage.safeParse({
    reference: image,
    port: numberOf(port),
    healthPath: health,
    userId: numberOf(user),
    dataPath: data,
  })
  if (!checked.success) {
    const name = String(checked.error.issues[0]?.path[0]) as keyof typeof imageOptions
    throw new UsageError(m.cli_image_wrong({ option: imageOptions[name] }, { locale }))
  }
  const project = await findProject(context, option, retryOptions(context))
  return makeRelease(context, project, (idempotencyKey) =>
    client(context)(deployImage, {
      params: { id: project.id },
      body: checked.data,
      idempotencyKey,
    }),
  )
}

/** Makes a new release with the files of an earlier one, and waits until it is live. */
export async function rollBack(
  context: CommandContext,
  { number, project: option }: { number: string | undefined; project?: string | undefined },
): Promise<CommandResult> {
  if (!/^[1-9]\d{0,8}$/.test(number ?? ''))
    throw new UsageError(m.cli_number_wrong({}, { locale: context.locale }))
  const body = { number: Number(number) }
  const project = await findProject(context, option, retryOptions(context))
  return makeRelease(context, project, (idempotencyKey) =>
    client(context)(rollBackRelease, { params: { id: project.id }, body, idempotencyKey }),
  )
}

/**
 * Makes a release of the newest version, for example of WordPress, and waits until it is live.
 * Succeeds without a release when the site already runs that version, as scheduled runs expect.
 */
export async function update(context: CommandContext, option?: string): Promise<CommandResult> {
  const { locale } = context
  const project = await findProject(context, option, retryOptions(context))
  if (!versionedRuntimes.some((versioned) => versioned === project.runtime))
    throw new CommandError(m.cli_update_none({}, { locale }))
  try {
    return await makeRelease(context, project, (idempotencyKey) =>
      client(context)(updateVersion, { params: { id: project.id }, idempotencyKey }),
    )
  } catch (error) {
    if (!isApiError(error, 'release_already_live')) throw error
    const json = { release: null, url: siteOrigin(project) }
    return { json, lines: [m.cli_update_newest({}, { locale })] }
  }
}

/** Makes a release without an upload, and waits until it is live. */
async function makeRelease(
  context: CommandContext,
  project: Project,
  call: (idempotencyKey: string) => Promise<Release>,
): Promise<CommandResult> {
  const { locale, printStatus } = context
  const idempotencyKey = randomUUID()
  const release = await withRetries(() => call(idempotencyKey), retryOptions(context))
  printStatus(m.release_checking({ number: release.number }, { locale }))
  return outcome(context, project, await waitForEnd(context, project, release))
}

/** Uploads the files. After a lost connection it retries, and still creates one release. */
function upload(
  context: CommandContext,
  project: Project,
  root: string,
  files: readonly PackedFile[],
  runtime: Runtime | undefined,
): Promise<Release> {
  const { url, locale, printStatus, signal, streams, timings } = context
  const total = sizeOf(files)
  printStatus(
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
  const progress = createProgress(streams.output, total, locale)
  const idempotencyKey = randomUUID()
  const send = async () => {
    const stalled = new AbortController()
    const abort = () => stalled.abort(new NoResponse(m.terminal_no_response({ url }, { locale })))
    const timer = setTimeout(abort, timings.stallTimeout)
    const onProgress = (bytes: number) => {
      timer.refresh()
      progress.show(bytes)
    }
    const archive = packFiles(root, files, { onProgress })
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
        AbortSignal.any([signal, stalled.signal]),
      )
    } catch (error) {
      // A file that cannot be read looks like a lost connection.
      if (broken && !signal.aborted && !stalled.signal.aborted) throw unreadableFile(broken, locale)
      throw error
    } finally {
      clearTimeout(timer)
      progress.end()
      archive.destroy()
    }
  }
  return withRetries(send, retryOptions(context))
}

/** Waits until the service has checked a release. Ctrl-C ends the waiting, not the release. */
async function waitForEnd(
  context: CommandContext,
  project: Project,
  release: Release,
): Promise<ReleaseDetail> {
  const params = { id: project.id, number: String(release.number) }
  const view = () => client(context)(viewRelease, { params })
  try {
    for (;;) {
      const current = await withRetries(view, retryOptions(context))
      if (current.state !== 'checking') return current
      await sleep(context.timings.pollInterval, undefined, { signal: context.signal })
    }
  } catch (error) {
    const { locale, printStatus } = context
    printStatus(m.cli_release_continues({ number: release.number }, { locale }))
    throw error
  }
}

/** The result of a release: its address, or why it failed and the last lines of its log. */
function outcome(
  { locale }: CommandContext,
  project: Project,
  release: ReleaseDetail,
): CommandResult {
  const { number, state } = release
  const url = siteOrigin(project)
  const json = { release, url }
  if (state !== 'failed') {
    const liveMessage = project.power === 'running' ? m.release_live_now : m.release_deployed
    // A newer release may replace this one between two polls.
    const message = state === 'superseded' ? m.cli_release_superseded : liveMessage
    const warnings = release.log.filter(({ isWarning }) => isWarning).map(({ text }) => text)
    return { json, lines: [...warnings.map(oneLine), message({ number }, { locale }), url] }
  }
  const reason = failureText(release, locale)
  const similar = similarRuntime(release)
  return {
    json,
    failed: true,
    lines: [
      m.release_failed({ number, reason }, { locale }),
      ...(similar ? [adviceFor(similar, locale)] : []),
      ...release.log
        .flatMap(({ text }) => splitLines(text))
        .slice(-shownLogLines)
        .map((line) => `  ${line}`),
    ],
  }
}

/** How to deploy files as the runtime that they look like. */
const adviceFor = (runtime: UploadedRuntime, locale: Locale) =>
  `${m[`release_like_${runtime}`]({}, { locale })} ${m.cli_deploy_as({ runtime }, { locale })}`

export const failureText = (
  release: Pick<Release, 'failure' | 'failureDetail'>,
  locale: CommandContext['locale'],
): string => {
  const { failure, failureDetail } = release
  if (failure === null) return ''
  const detail = oneLine(failureDetail ?? '')
  const text = m[`release_failure_${failure}`](
    {
      detail,
      file: detail,
      number: detail,
      code: detail,
      port: detail,
      status: detail,
      max: formatNumber(limits.releaseFilesMax, locale),
    },
    { locale },
  )
  const max = sizeLimit(release)
  return max === undefined
    ? text
    : `${text} ${m.release_limit({ max: formatBytes(max, locale) }, { locale })}`
}

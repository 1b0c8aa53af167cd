import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiError, createClient } from '@slipway/contract/client'
import { listProjects, type Project } from '@slipway/contract/projects'
import {
  createSiteBackup,
  downloadSiteBackup,
  listSiteBackups,
  restoreSiteBackup,
  type SiteBackup,
  type SiteBackupId,
  type SiteBackupObstacle,
  type SiteRestore,
  type SiteRestoreStep,
  siteBackupObstacles,
} from '@slipway/contract/site-backups'
import { siteOrigin } from '@slipway/contract/site-url'
import { formatBytes, formatDate, type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { requestError, withRetries } from '@slipway/terminal/service'
import { table } from '@slipway/terminal/table'
import { oneLine } from '@slipway/terminal/text'
import {
  type CommandContext,
  type CommandResult,
  client,
  findProject,
  retryOptions,
  send,
} from './context.ts'

const formatTime = (time: string, locale: Locale) => formatDate(time, locale, 'shortDateTime')

/** The newest backups of a project: all that the service stores. */
const list = (context: CommandContext, id: string) =>
  withRetries(
    () => client(context)(listSiteBackups, { params: { id }, query: { perPage: 100 } }),
    retryOptions(context),
  )

const pause = ({ timings, signal }: CommandContext) =>
  sleep(timings.pollInterval, undefined, { signal })

const failureText = ({ failure }: SiteBackup, locale: Locale) =>
  failure === null ? '' : m[`backups_failure_${failure}`]({}, { locale })

const sizeText = ({ bytes }: SiteBackup, locale: Locale) =>
  bytes === null ? '' : formatBytes(bytes, locale)

const stateTexts = {
  creating: m.backups_state_creating,
  ready: m.backups_state_ready,
  failed: m.backups_state_failed,
} satisfies Record<SiteBackup['state'], unknown>

const obstacleTexts = {
  no_content: m.cli_backup_no_content,
  not_ready: m.cli_backup_not_ready,
  backup_in_progress: m.cli_backup_backup_in_progress,
  restore_in_progress: m.cli_backup_restore_in_progress,
  release_in_progress: m.cli_backup_release_in_progress,
  moving: m.cli_backup_moving,
} satisfies Record<SiteBackupObstacle, unknown>

/** Why a backup or a restore is not possible; undefined for an obstacle of a newer service. */
export function obstacleText({ context }: ApiError, locale: Locale): string | undefined {
  const obstacle = siteBackupObstacles.find((each) => each === context)
  return obstacle && obstacleTexts[obstacle]({}, { locale })
}

const backupMissing = (locale: Locale) => new CommandError(m.cli_backup_missing({}, { locale }))

/** The backups of a project, the newest first. */
export async function showBackups(
  context: CommandContext,
  option: string | undefined,
): Promise<CommandResult> {
  const { locale, terminal } = context
  const { id } = await findProject(context, option)
  const { items, hasContent } = await list(context, id)
  if (items.length === 0) {
    const emptyText = hasContent ? m.backups_none : m.cli_backup_no_content
    return { json: [], lines: [emptyText({}, { locale })] }
  }
  return {
    json: items,
    lines: table<SiteBackup>(
      [
        { title: m.cli_backup({}, { locale }), cell: (backup) => backup.id },
        {
          title: m.cli_state({}, { locale }),
          cell: ({ state }) => stateTexts[state]({}, { locale }),
        },
        { title: m.cli_created({}, { locale }), cell: ({ createdAt }) => terminal.ago(createdAt) },
        { title: m.cli_size({}, { locale }), cell: (backup) => sizeText(backup, locale) },
        {
          title: m.cli_user({}, { locale }),
          cell: ({ createdBy }) => oneLine(createdBy?.name ?? ''),
          narrowWidth: { preferred: 24, min: 8 },
        },
        {
          title: '',
          cell: (backup) =>
            failureText(backup, locale) || m[`backups_cause_${backup.cause}`]({}, { locale }),
          narrowWidth: { preferred: 60, min: 10 },
        },
      ],
      items,
      { columns: terminal.columns, heading: (text) => terminal.style('dim', text) },
    ),
  }
}

/** Backs up a site, and waits until the backup is ready or has failed. */
export async function createBackup(
  context: CommandContext,
  option: string | undefined,
): Promise<CommandResult> {
  const { locale, printStatus } = context
  const { id } = await findProject(context, option, retryOptions(context))
  const idempotencyKey = randomUUID()
  const { id: backupId } = await withRetries(
    () => client(context)(createSiteBackup, { params: { id }, idempotencyKey }),
    retryOptions(context),
  )
  printStatus(m.backups_creating({}, { locale }))
  const backup = await waitForBackup(context, id, backupId)
  if (backup.state === 'failed') {
    const line = `${m.backups_failed({}, { locale })} ${failureText(backup, locale)}`
    return { json: backup, lines: [line], failed: true }
  }
  const texts = { id: backup.id, size: sizeText(backup, locale) }
  return { json: backup, lines: [m.cli_backup_ready(texts, { locale })] }
}

/** Waits until a backup has ended. Ctrl-C ends the waiting, not the backup. */
async function waitForBackup(
  context: CommandContext,
  projectId: string,
  backupId: SiteBackupId,
): Promise<SiteBackup> {
  for (;;) {
    const { items } = await list(context, projectId)
    const backup = items.find(({ id }) => id === backupId)
    if (!backup) throw backupMissing(context.locale)
    if (backup.state !== 'creating') return backup
    await pause(context)
  }
}

/** Restores a backup in its project or in a new one, and waits until that has ended. */
export async function restoreBackup(
  context: CommandContext,
  {
    backup,
    name: newProjectName = null,
    project: option,
  }: { backup: string; name?: string | null | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { locale } = context
  const source = await findProject(context, option, retryOptions(context))
  const idempotencyKey = randomUUID()
  const body = { backupId: backup, newProjectName }
  const project = await withRetries(
    () => client(context)(restoreSiteBackup, { params: { id: source.id }, body, idempotencyKey }),
    retryOptions(context),
  ).catch((error) => {
    throw isApiError(error, 'item_not_found') ? backupMissing(locale) : error
  })
  const restore = await waitForRestore(context, project, newProjectName !== null)
  const json = { restore, project, url: siteOrigin(project) }
  const time = formatTime(restore.backupCreatedAt, locale)
  if (restore.failure !== null) {
    const reason = m[`backups_restore_failure_${restore.failure}`]({}, { locale })
    return {
      json,
      lines: [m.backups_restore_failed({ time, reason }, { locale })],
      failed: true,
    }
  }
  return {
    json,
    lines: [
      m.backups_restored({ time }, { locale }),
      ...(newProjectName === null ? [] : [project.key]),
      json.url,
    ],
  }
}

/** Waits until a restore has ended and, for a new project, until its site is live. */
async function waitForRestore(
  context: CommandContext,
  { id }: Project,
  isNew: boolean,
): Promise<SiteRestore> {
  const { locale, printStatus } = context
  let shown: SiteRestoreStep | null = null
  for (;;) {
    const { restore } = await list(context, id)
    if (restore?.step && restore.step !== shown) {
      shown = restore.step
      const time = formatTime(restore.backupCreatedAt, locale)
      printStatus(m[`backups_step_${shown}`]({ time }, { locale }))
    }
    const hasEnded = restore !== null && restore.step === null
    if (hasEnded && (!isNew || restore.failure !== null)) return restore
    if (isNew && (await isReady(context, id)) && hasEnded) return restore
    await pause(context)
  }
}

/** True once the site of a new project is live. Throws a `CommandError` if the creation failed. */
async function isReady(context: CommandContext, id: string) {
  const { locale } = context
  const all = await withRetries(() => client(context)(listProjects), retryOptions(context))
  const project = all.find((each) => each.id === id)
  if (!project) throw new CommandError(m.error_item_not_found({}, { locale }))
  if (project.state === 'failed_creating')
    throw new CommandError(m.activity_project_failed({}, { locale }))
  return project.state === 'ready'
}

/** The name of a backup's file. The service must not choose another one, such as `package.json`. */
const safeName = (name: string) =>
  /^[a-z0-9-]+-\d{8}T\d{6}Z\.tar\.gz$/.test(name) ? name : 'backup.tar.gz'

/**
 * Downloads a backup as a tar.gz. An incomplete download leaves no file. Only a file that the user
 * names is replaced.
 */
export async function downloadBackup(
  context: CommandContext,
  {
    backup,
    file: requestedFile,
    project: option,
  }: { backup: string; file: string | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { url, token, locale, signal, timings } = context
  const { id } = await findProject(context, option)
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), timings.stallTimeout)
  const downloadSignal = AbortSignal.any([signal, stalled.signal])
  // The client of other calls reads a response into memory.
  const call = createClient({
    base: `${url}/api`,
    token: () => token,
    locale: () => locale,
    fetch: send,
  })
  try {
    const params = { id, backupId: backup }
    const { name, content } = await call(downloadSiteBackup, { params }, downloadSignal)
    const file = requestedFile ?? safeName(name)
    if (requestedFile === undefined && existsSync(file)) {
      await content.cancel()
      throw new CommandError(m.cli_backup_file_exists({ file }, { locale }))
    }
    const stream = Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0])
    stream.on('data', () => timer.refresh())
    await write(stream, file, { locale, signal: downloadSignal })
    const { size } = await stat(file)
    return {
      json: { file, bytes: size },
      lines: [m.cli_backup_saved({ file, size: formatBytes(size, locale) }, { locale })],
    }
  } catch (error) {
    signal.throwIfAborted()
    if (isApiError(error, 'item_not_found')) throw backupMissing(locale)
    throw requestError(error, url, locale)
  } finally {
    clearTimeout(timer)
  }
}

/** Writes a stream to a file, which appears once it is complete. */
async function write(
  content: Readable,
  file: string,
  { locale, signal }: Pick<CommandContext, 'locale' | 'signal'>,
) {
  const partFile = `${file}.part`
  const target = createWriteStream(partFile)
  // The stream that failed first: a pipeline then destroys the other with the same error.
  let failedStream: 'file' | 'connection' | undefined
  target.on('error', () => {
    failedStream ??= 'file'
  })
  content.on('error', () => {
    failedStream ??= 'connection'
  })
  const unwritable = ({ message: reason }: Error) =>
    new CommandError(m.cli_file_unwritable({ reason }, { locale }))
  try {
    await pipeline(content, target, { signal }).catch((error: Error) => {
      throw failedStream === 'file' && !signal.aborted ? unwritable(error) : error
    })
    await rename(partFile, file).catch((error: Error) => {
      throw unwritable(error)
    })
  } catch (error) {
    await rm(partFile, { force: true })
    throw error
  }
}

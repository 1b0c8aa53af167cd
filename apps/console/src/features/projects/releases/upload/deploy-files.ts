import { ApiError } from '@slipway/contract/client'
import type { ProjectId } from '@slipway/contract/projects'
import { type Release, type UploadProblem, uploadProblem } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { formatBytes, formatNumber, getLocale, m } from '@slipway/phrases'
import { uploadRelease } from '../../../../api/upload.ts'
import { archiveType, type ChosenFiles, describeFiles, filesOf } from './chosen-files.ts'
import type { ChosenItems } from './chosen-items.ts'
import { packFiles } from './pack-files.ts'
import { UnsuitableFiles } from './unsuitable-files.ts'

const problemTexts: Record<UploadProblem, (texts: { found: string; max: string }) => string> = {
  too_many_files: m.release_upload_too_many_files,
  too_large: m.release_upload_too_large,
  too_large_unpacked: m.release_upload_too_large_unpacked,
}

/** Rejects files that the server would reject, before minutes of packing and uploading. */
function checkSize(counts: Parameters<typeof uploadProblem>[0], maxArchiveBytes: number) {
  const rejected = uploadProblem(counts, maxArchiveBytes)
  if (!rejected) return
  const format = rejected.problem === 'too_many_files' ? formatNumber : formatBytes
  const locale = getLocale()
  const texts = { found: format(rejected.found, locale), max: format(rejected.max, locale) }
  throw new UnsuitableFiles(problemTexts[rejected.problem](texts))
}

type Options = {
  /** The project's own by default. */
  runtime: Runtime | undefined
  idempotencyKey: string
  /** Infinite while it is not known. */
  maxArchiveBytes: number
  signal: AbortSignal
  /** Called once the folders are read. */
  onFiles: (files: ChosenFiles) => void
  onProgress: (step: 'packing' | 'uploading', share: number) => void
}

/** The archive that the user chose; otherwise a new one, with the chosen files. */
async function archiveOf(
  items: ChosenItems,
  { maxArchiveBytes, signal, onFiles, onProgress }: Options,
): Promise<Blob> {
  const files = await filesOf(items)
  const chosen = describeFiles(files)
  onFiles(chosen)
  const type = archiveType(files)
  if (type && files[0]) return files[0].file.slice(0, undefined, type)
  if (files.length === 0) throw new UnsuitableFiles(m.release_no_files())
  checkSize({ files: chosen.count, bytes: chosen.bytes, archiveBytes: 0 }, maxArchiveBytes)
  return packFiles(files, { signal, onProgress: (share) => onProgress('packing', share) })
}

/** Packs and uploads files. A separate chunk, which loads with the first files. */
export async function deployFiles(
  projectId: ProjectId,
  items: ChosenItems,
  options: Options,
): Promise<Release> {
  const { runtime, idempotencyKey, maxArchiveBytes, signal, onProgress } = options
  const archive = await archiveOf(items, options).catch((error: unknown) => {
    // The browser's own errors are about files: moved, deleted or unreadable meanwhile.
    throw error instanceof DOMException && !signal.aborted
      ? new UnsuitableFiles(m.release_unreadable())
      : error
  })
  signal.throwIfAborted()
  checkSize({ files: 0, bytes: 0, archiveBytes: archive.size }, maxArchiveBytes)
  onProgress('uploading', 0)
  return uploadRelease(projectId, archive, {
    runtime,
    signal,
    idempotencyKey,
    onProgress: (share) => onProgress('uploading', share),
  }).catch((error: unknown) => {
    // The limit was not known yet, or is lower now; the error's context is the new one.
    if (error instanceof ApiError && error.code === 'request_too_large')
      checkSize({ files: 0, bytes: 0, archiveBytes: archive.size }, Number(error.context))
    throw error
  })
}

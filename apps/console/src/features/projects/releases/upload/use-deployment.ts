import type { ProjectId } from '@slipway/contract/projects'
import { type UploadProblem, uploadProblem } from '@slipway/contract/releases'
import { formatBytes, formatNumber, getLocale, m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../../api/error-message.ts'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { releasesQuery } from '../../../../api/queries.ts'
import { useUnsaved } from '../../../../forms/use-unsaved.ts'
import { archiveType, type ChosenFile } from './chosen-files.ts'

export type DeploymentState =
  | { step: 'idle' }
  /** `share` is that of the files or bytes, from 0 to 1, in whole percent. */
  | { step: 'packing' | 'uploading'; share: number }
  /** Nothing was chosen that could be tried again if it is not `canRetry`. */
  | { step: 'failed'; message: string; canRetry: boolean }

/** The user can choose other files, but not try these again. */
class UnsuitableFiles extends Error {}

const problemTexts: Record<UploadProblem, (texts: { found: string; max: string }) => string> = {
  too_many_files: m.release_upload_too_many_files,
  too_large: m.release_upload_too_large,
  too_large_unpacked: m.release_upload_too_large_unpacked,
}

/** Packs and uploads files; what happens to the release then is in the list of releases. */
export function useDeployment(projectId: ProjectId) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<DeploymentState>({ step: 'idle' })
  const isBusy = state.step === 'packing' || state.step === 'uploading'
  const running = useRef<AbortController | undefined>(undefined)
  const last = useRef<{ files: ChosenFile[]; idempotencyKey: string } | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  useUnsaved(m.release_upload(), isBusy)

  /** Shows how far a step is; a folder has thousands of chunks, but only a hundred are shown. */
  const show = (step: 'packing' | 'uploading', share: number) => {
    const shown = Math.floor(share * 100) / 100
    setState((current) =>
      current.step === step && current.share === shown ? current : { step, share: shown },
    )
  }

  /** Rejects what the server would reject, before minutes of packing and uploading. */
  function checkSize(counts: Parameters<typeof uploadProblem>[0]) {
    const max = queryClient.getQueryData(releasesQuery(projectId).queryKey)?.maxArchiveBytes
    const rejected = uploadProblem(counts, max ?? Infinity)
    if (!rejected) return
    const format = rejected.problem === 'too_many_files' ? formatNumber : formatBytes
    const locale = getLocale()
    const texts = { found: format(rejected.found, locale), max: format(rejected.max, locale) }
    throw new UnsuitableFiles(problemTexts[rejected.problem](texts))
  }

  async function archiveOf(files: ChosenFile[], signal: AbortSignal) {
    const type = archiveType(files)
    if (type && files[0]) return files[0].file.slice(0, undefined, type)
    if (files.length === 0) throw new UnsuitableFiles(m.release_no_files())
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
    checkSize({ files: files.length, bytes, archiveBytes: 0 })
    const { packFiles } = await import('./pack-files.ts')
    return packFiles(files, { signal, onProgress: (share) => show('packing', share) })
  }

  async function run(chosen: Promise<ChosenFile[]>, idempotencyKey: string) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    show('packing', 0)
    try {
      const files = await chosen
      last.current = { files, idempotencyKey }
      const archive = await archiveOf(files, signal)
      signal.throwIfAborted()
      checkSize({ files: 0, bytes: 0, archiveBytes: archive.size })
      show('uploading', 0)
      const { uploadRelease } = await import('../../../../api/upload.ts')
      await uploadRelease(projectId, archive, {
        signal,
        idempotencyKey,
        onProgress: (share) => show('uploading', share),
      })
      await queryClient.invalidateQueries(releasesQuery(projectId))
      setState({ step: 'idle' })
    } catch (error) {
      setState(signal.aborted ? { step: 'idle' } : failureOf(error))
    }
  }

  return {
    state,
    isBusy,
    /** Deploys files; ignored while others are uploaded. */
    deploy(files: Promise<ChosenFile[]>) {
      // One key for all attempts: a retry after a lost response finds the first one's release.
      if (!isBusy) void run(files, newIdempotencyKey())
    },
    retry() {
      if (last.current) void run(Promise.resolve(last.current.files), last.current.idempotencyKey)
    },
    cancel: () => running.current?.abort(),
  }
}

function failureOf(error: unknown): DeploymentState {
  if (error instanceof UnsuitableFiles)
    return { step: 'failed', message: error.message, canRetry: false }
  // The browser's own errors are about files: moved, deleted or unreadable since they were chosen.
  if (error instanceof DOMException)
    return { step: 'failed', message: m.release_unreadable(), canRetry: false }
  // The code of the upload loads when it is first needed.
  const isOffline = error instanceof TypeError && !navigator.onLine
  return {
    step: 'failed',
    message: isOffline ? m.error_network() : errorMessage(error),
    canRetry: true,
  }
}

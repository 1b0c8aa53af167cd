import type { ProjectId } from '@slipway/contract/projects'
import { formatBytes, getLocale, m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../../api/error-message.ts'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { releasesQuery } from '../../../../api/queries.ts'
import { uploadRelease } from '../../../../api/upload.ts'
import { archiveType, type ChosenFile } from './chosen-files.ts'

export type DeploymentState =
  | { step: 'idle' }
  /** `share` is that of the files or bytes, from 0 to 1. */
  | { step: 'packing' | 'uploading'; share: number }
  | { step: 'failed'; message: string }

/** Packs and uploads files; what happens to the release then is in the list of releases. */
export function useDeployment(projectId: ProjectId) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<DeploymentState>({ step: 'idle' })
  const running = useRef<AbortController | undefined>(undefined)
  const last = useRef<{ files: ChosenFile[]; idempotencyKey: string } | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function archiveOf(files: ChosenFile[], signal: AbortSignal) {
    const type = archiveType(files)
    if (type && files[0]) return files[0].file.slice(0, undefined, type)
    setState({ step: 'packing', share: 0 })
    const { packFiles } = await import('./pack-files.ts')
    return packFiles(files, { signal, onProgress: (share) => setState({ step: 'packing', share }) })
  }

  /** Says that the server would reject the archive, before minutes of uploading; else null. */
  function tooLargeText(bytes: number) {
    const max = queryClient.getQueryData(releasesQuery(projectId).queryKey)?.maxArchiveBytes
    if (max === undefined || bytes <= max) return null
    const locale = getLocale()
    return m.release_upload_too_large({
      size: formatBytes(bytes, locale),
      max: formatBytes(max, locale),
    })
  }

  async function run({ files, idempotencyKey }: NonNullable<typeof last.current>) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    try {
      const archive = await archiveOf(files, signal)
      const tooLarge = tooLargeText(archive.size)
      if (tooLarge !== null) return setState({ step: 'failed', message: tooLarge })
      setState({ step: 'uploading', share: 0 })
      await uploadRelease(projectId, archive, {
        signal,
        idempotencyKey,
        onProgress: (share) => setState({ step: 'uploading', share }),
      })
      await queryClient.invalidateQueries(releasesQuery(projectId))
      setState({ step: 'idle' })
    } catch (error) {
      setState(signal.aborted ? { step: 'idle' } : { step: 'failed', message: errorMessage(error) })
    }
  }

  return {
    state,
    /** Deploys files; ignored while others are uploaded. */
    deploy(files: ChosenFile[]) {
      if (files.length === 0 || state.step === 'packing' || state.step === 'uploading') return
      // One key for all attempts: a retry after a lost response finds the first one's release.
      last.current = { files, idempotencyKey: newIdempotencyKey() }
      void run(last.current)
    },
    retry: () => last.current && void run(last.current),
    cancel: () => running.current?.abort(),
  }
}

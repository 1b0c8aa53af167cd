import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../../api/error-message.ts'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { useUnsaved } from '../../../../forms/use-unsaved.ts'
import { releasesQuery } from '../release-queries.ts'
import type { ChosenItems } from './chosen-items.ts'
import { UnsuitableFiles } from './unsuitable-files.ts'

export type DeploymentState =
  | { step: 'idle' }
  /** `share` is that of the files or bytes, from 0 to 1, in whole percent. */
  | { step: 'packing' | 'uploading'; share: number }
  /** Nothing was chosen that could be tried again if it is not `canRetry`. */
  | { step: 'failed'; message: string; canRetry: boolean }

/** Packs and uploads files; what happens to the release then is in the list of releases. */
export function useDeployment(projectId: ProjectId) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<DeploymentState>({ step: 'idle' })
  const isBusy = state.step === 'packing' || state.step === 'uploading'
  const running = useRef<AbortController | undefined>(undefined)
  const last = useRef<{ items: ChosenItems; idempotencyKey: string } | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  useUnsaved(m.release_upload(), isBusy)

  /** Shows how far a step is; a folder has thousands of chunks, but only a hundred are shown. */
  const show = (step: 'packing' | 'uploading', share: number) => {
    const shown = Math.floor(share * 100) / 100
    setState((current) =>
      current.step === step && current.share === shown ? current : { step, share: shown },
    )
  }

  async function run(items: ChosenItems, idempotencyKey: string) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    last.current = { items, idempotencyKey }
    show('packing', 0)
    try {
      const { deployFiles } = await import('./deploy-files.ts')
      signal.throwIfAborted()
      const max = queryClient.getQueryData(releasesQuery(projectId).queryKey)?.maxArchiveBytes
      await deployFiles(projectId, items, {
        idempotencyKey,
        maxArchiveBytes: max ?? Infinity,
        signal,
        onProgress: show,
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
    deploy(items: ChosenItems) {
      // One key for all attempts: a retry after a lost response finds the first one's release.
      if (!isBusy) void run(items, newIdempotencyKey())
    },
    retry() {
      if (last.current) void run(last.current.items, last.current.idempotencyKey)
    },
    cancel: () => running.current?.abort(),
  }
}

function failureOf(error: unknown): DeploymentState {
  if (error instanceof UnsuitableFiles)
    return { step: 'failed', message: error.message, canRetry: false }
  // The code of the upload loads when it is first needed.
  const isOffline = error instanceof TypeError && !navigator.onLine
  return {
    step: 'failed',
    message: isOffline ? m.error_network() : errorMessage(error),
    canRetry: true,
  }
}

import type { ProjectId } from '@slipway/contract/projects'
import type { Release, UploadedRuntime } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../../api/error-message.ts'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { useUnsaved } from '../../../../forms/use-unsaved.ts'
import { releasesQuery } from '../release-queries.ts'
import type { ChosenFiles } from './chosen-files.ts'
import type { ChosenItems } from './chosen-items.ts'
import { UnsuitableFiles } from './unsuitable-files.ts'

export type DeploymentState =
  | { step: 'idle' }
  /** `share` of the files packed or of the bytes uploaded: 0 to 1, in steps of 0.01. */
  | { step: 'packing' | 'uploading'; share: number; files: ChosenFiles | undefined }
  /** `canRetry` is false if the chosen files cannot be uploaded. */
  | { step: 'failed'; message: string; canRetry: boolean }

type Upload = {
  items: ChosenItems
  runtime: UploadedRuntime | undefined
  idempotencyKey: string
  /** The number of the release, once the server has the files. */
  number?: number
}

/** Packs and uploads files; the list of releases then shows the state of the release. */
export function useDeployment(projectId: ProjectId) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<DeploymentState>({ step: 'idle' })
  const isBusy = state.step === 'packing' || state.step === 'uploading'
  const running = useRef<AbortController | undefined>(undefined)
  const last = useRef<Upload | undefined>(undefined)
  const [runtime, setRuntime] = useState<UploadedRuntime | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  useUnsaved(m.release_upload(), isBusy)

  /** Shows the progress of a step in whole percent: a folder has thousands of chunks. */
  const show = (step: 'packing' | 'uploading', share: number) => {
    const shown = Math.floor(share * 100) / 100
    setState((current) =>
      current.step === step && current.share === shown
        ? current
        : { step, share: shown, files: 'files' in current ? current.files : undefined },
    )
  }
  const showFiles = (files: ChosenFiles) =>
    setState((current) => ('share' in current ? { ...current, files } : current))

  async function run(upload: Upload) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    last.current = upload
    show('packing', 0)
    try {
      const { deployFiles } = await import('./deploy-files.ts')
      signal.throwIfAborted()
      const max = queryClient.getQueryData(releasesQuery(projectId).queryKey)?.maxArchiveBytes
      const { number } = await deployFiles(projectId, upload.items, {
        runtime: upload.runtime,
        idempotencyKey: upload.idempotencyKey,
        maxArchiveBytes: max ?? Infinity,
        signal,
        onFiles: showFiles,
        onProgress: show,
      })
      upload.number = number
      await queryClient.invalidateQueries(releasesQuery(projectId))
      setState({ step: 'idle' })
    } catch (error) {
      setState(signal.aborted ? { step: 'idle' } : failureOf(error))
    }
  }

  return {
    state,
    isBusy,
    /** The runtime of the deployment; undefined for the project's own. */
    runtime,
    /** Deploys files; ignored while others are uploaded. */
    deploy(items: ChosenItems) {
      // One key for all attempts: a retry after a lost response finds the first one's release.
      if (!isBusy) void run({ items, runtime, idempotencyKey: newIdempotencyKey() })
    },
    /** Deploys the files of a failed release, if this page has sent them, and all later files. */
    deployAs(newRuntime: UploadedRuntime, failedRelease: Release) {
      setRuntime(newRuntime)
      if (last.current?.number !== failedRelease.number) return
      const { items } = last.current
      void run({ items, runtime: newRuntime, idempotencyKey: newIdempotencyKey() })
    },
    retry() {
      if (last.current) void run(last.current)
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

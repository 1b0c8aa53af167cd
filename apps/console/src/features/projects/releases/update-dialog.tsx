import type { ProjectId } from '@slipway/contract/projects'
import { updateVersion } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { useAction } from '../../../forms/use-action.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { releasesQuery } from './release-queries.ts'

/** Confirms the update to a version, and starts it. */
export function UpdateDialog({
  projectId,
  version,
  open,
  onClose,
}: {
  projectId: ProjectId
  version: string
  open: boolean
  onClose: () => void
}) {
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const action = useAction(async () => {
    await call(updateVersion, { params: { id: projectId }, idempotencyKey })
    await queryClient.invalidateQueries(releasesQuery(projectId))
    showToast('info', m.release_updating({ version }))
    onClose()
  })
  return (
    <ConfirmDialog
      open={open}
      tone="primary"
      title={m.release_update_title({ version })}
      texts={{ confirm: m.release_update_confirm(), cancel: m.shell_cancel() }}
      pending={action.pending}
      failure={action.failure}
      onConfirm={() => action.run()}
      onClose={() => {
        action.clear()
        onClose()
      }}
    >
      {m.release_update_text()}
    </ConfirmDialog>
  )
}

import type { ProjectId } from '@slipway/contract/projects'
import { updateVersion } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { releasesQuery } from './release-queries.ts'

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
  async function update() {
    await call(updateVersion, { params: { id: projectId }, idempotencyKey })
    await queryClient.invalidateQueries(releasesQuery(projectId))
    showToast('info', m.release_updating({ version }))
    onClose()
  }
  return (
    <ActionDialog
      open={open}
      tone="primary"
      title={m.release_update_title({ version })}
      confirm={m.release_update_confirm()}
      action={update}
      onClose={onClose}
    >
      {m.release_update_text()}
    </ActionDialog>
  )
}

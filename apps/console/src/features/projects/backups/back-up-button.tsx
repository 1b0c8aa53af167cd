import type { ProjectId } from '@slipway/contract/projects'
import { createSiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import Archive from 'lucide-react/icons/archive'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { useAction } from '../../../forms/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { backupsQuery } from './backup-queries.ts'

/** Backs up the site. The button is busy until the backup has ended. */
export function useBackUp(projectId: ProjectId, isBackingUp: boolean) {
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const action = useAction(async () => {
    await call(createSiteBackup, { params: { id: projectId }, idempotencyKey })
    setIdempotencyKey(newIdempotencyKey())
    await queryClient.invalidateQueries(backupsQuery(projectId))
  })
  return {
    failure: action.failure,
    button: (
      <Button icon={Archive} pending={action.pending || isBackingUp} onClick={() => action.run()}>
        {m.backups_create()}
      </Button>
    ),
  }
}

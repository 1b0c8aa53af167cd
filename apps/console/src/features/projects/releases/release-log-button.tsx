import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'

const ReleaseLogDialog = lazyDialog(() =>
  import('./release-log-dialog.tsx').then((module) => module.ReleaseLogDialog),
)

export function ReleaseLogButton({
  projectId,
  number,
  label = m.release_log(),
}: {
  projectId: ProjectId
  number: number
  label?: string
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={m.release_log_title({ number })} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ReleaseLogDialog
        projectId={projectId}
        number={number}
        open={open}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

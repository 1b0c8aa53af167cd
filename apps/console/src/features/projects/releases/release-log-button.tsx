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
  name = m.release_log_title({ number }),
  inRow,
}: {
  projectId: ProjectId
  number: number
  label?: string
  /** The accessible name, which has the label in it. */
  name?: string
  /** In the list of releases. */
  inRow?: boolean
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant={inRow ? 'row' : undefined} aria-label={name} onClick={() => setOpen(true)}>
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

import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'

const DeleteProjectDialog = lazyDialog(() =>
  import('../delete-project-dialog.tsx').then((module) => module.DeleteProjectDialog),
)

export function DeletionCard({ project }: { project: Project }) {
  const [open, setOpen] = useState(false)
  return (
    <Card title={m.projects_delete_confirm()}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 text-muted">{m.projects_delete_hint()}</p>
        <Button variant="deletes" onClick={() => setOpen(true)}>
          {m.projects_delete_confirm()}
        </Button>
      </div>
      <DeleteProjectDialog project={project} open={open} onClose={() => setOpen(false)} />
    </Card>
  )
}

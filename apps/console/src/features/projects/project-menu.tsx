import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { lazyDialog } from '../../ui/dialog/lazy-dialog.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { projectStates } from './project-states.ts'

const DeleteProjectDialog = lazyDialog(() =>
  import('./delete-project-dialog.tsx').then((module) => module.DeleteProjectDialog),
)

/** The project's actions; no button if there are none. */
export function ProjectMenu({ project }: { project: Project }) {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      {projectStates[project.state].isEditable && (
        <Menu
          label={m.projects_menu()}
          icon={Ellipsis}
          entries={[
            {
              kind: 'action',
              label: m.projects_delete(),
              icon: Trash,
              tone: 'danger',
              onSelect: () => setDeleting(true),
            },
          ]}
        />
      )}
      <DeleteProjectDialog project={project} open={deleting} onClose={() => setDeleting(false)} />
    </>
  )
}

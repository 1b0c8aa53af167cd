import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Menu } from '../../ui/menu/menu.tsx'
import { DeleteProjectDialog } from './delete-project-dialog.tsx'
import { projectStates } from './project-states.ts'

/** What can be done with a project beyond its fields; without a button where that is nothing. */
export function ProjectMenu({ project }: { project: Project }) {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      {projectStates[project.state].editable && (
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

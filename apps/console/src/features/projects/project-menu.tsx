import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { lazyDialog } from '../../ui/dialog/lazy-dialog.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { usePowerEntries } from './power/power-entries.ts'
import { projectStates } from './project-states.ts'

const DeleteProjectDialog = lazyDialog(() =>
  import('./delete-project-dialog.tsx').then((module) => module.DeleteProjectDialog),
)

const StopProjectDialog = lazyDialog(() =>
  import('./power/stop-project-dialog.tsx').then((module) => module.StopProjectDialog),
)

/** The project's actions; no button if there are none. */
export function ProjectMenu({ project }: { project: Project }) {
  const [deleting, setDeleting] = useState(false)
  const [stopping, setStopping] = useState(false)
  const powerEntries = usePowerEntries(project, () => setStopping(true))
  return (
    <>
      {projectStates[project.state].isEditable && (
        <Menu
          label={m.projects_menu()}
          icon={Ellipsis}
          variant="secondary"
          entries={[
            ...powerEntries,
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
      <StopProjectDialog project={project} open={stopping} onClose={() => setStopping(false)} />
      <DeleteProjectDialog project={project} open={deleting} onClose={() => setDeleting(false)} />
    </>
  )
}

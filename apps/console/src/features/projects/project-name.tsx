import { type ProjectDetail, renameProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { EditableField } from '../../forms/editable-field.tsx'
import { displayName } from './display-name.ts'
import { cacheProject } from './project-queries.ts'
import { projectStates } from './project-states.ts'

/** The heading of a project's pages, editable. */
export function ProjectName({ project }: { project: ProjectDetail }) {
  const { id, name, state } = project
  const queryClient = useQueryClient()
  return (
    <EditableField
      schema={renameProject.body}
      name="name"
      label={m.projects_name()}
      value={name}
      readOnly={!projectStates[state].isEditable}
      headingClass="text-2xl leading-8 font-semibold tracking-tight wrap-anywhere"
      save={async (body) =>
        cacheProject(queryClient, await call(renameProject, { params: { id }, body }))
      }
    >
      {displayName(project)}
    </EditableField>
  )
}

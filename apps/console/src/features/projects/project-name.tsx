import { type Project, renameProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { EditableField } from '../../forms/editable-field.tsx'
import { cacheProject } from './project-queries.ts'
import { projectStates } from './project-states.ts'

export function ProjectName({ project: { id, name, state } }: { project: Project }) {
  const queryClient = useQueryClient()
  if (!projectStates[state].isEditable) return name
  return (
    <EditableField
      schema={renameProject.body}
      name="name"
      label={m.projects_name()}
      value={name}
      save={async (body) =>
        cacheProject(queryClient, await call(renameProject, { params: { id }, body }))
      }
    />
  )
}

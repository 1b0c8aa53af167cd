import { type Project, renameProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { EditableField } from '../../forms/editable-field.tsx'
import { showAnswered } from './project-queries.ts'
import { projectStates } from './project-states.ts'

export function ProjectName({ project: { id, name, state } }: { project: Project }) {
  const queryClient = useQueryClient()
  if (!projectStates[state].editable) return name
  return (
    <EditableField
      schema={renameProject.body}
      name="name"
      label={m.projects_name()}
      value={name}
      save={async (body) =>
        showAnswered(queryClient, await call(renameProject, { params: { id }, body }))
      }
    />
  )
}

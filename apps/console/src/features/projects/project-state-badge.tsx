import { type StateFields, shownState } from '@slipway/contract/projects'
import { Badge } from '../../ui/badge.tsx'
import { projectStates } from './project-states.ts'

export function ProjectStateBadge({ project }: { project: StateFields }) {
  const { label, tone, icon } = projectStates[shownState(project)]
  return (
    <Badge tone={tone} icon={icon}>
      {label()}
    </Badge>
  )
}

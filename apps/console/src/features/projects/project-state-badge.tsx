import type { ProjectState } from '@slipway/contract/projects'
import { Badge } from '../../ui/badge.tsx'
import { projectStates } from './project-states.ts'

export function ProjectStateBadge({ state }: { state: ProjectState }) {
  const { label, tone, icon } = projectStates[state]
  return (
    <Badge tone={tone} icon={icon}>
      {label()}
    </Badge>
  )
}

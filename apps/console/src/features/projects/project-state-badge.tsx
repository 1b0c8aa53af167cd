import { type StateFields, shownState } from '@slipway/contract/projects'
import { Badge } from '../../ui/badge.tsx'
import { projectStates } from './project-states.ts'

export function ProjectStateBadge({ project, quiet }: { project: StateFields; quiet?: boolean }) {
  const { label, tone, icon } = projectStates[shownState(project)]
  return (
    <Badge tone={tone} icon={icon} quiet={quiet}>
      {label()}
    </Badge>
  )
}

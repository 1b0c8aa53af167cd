import type { Project } from '@slipway/contract/projects'
import { Badge } from '../../ui/badge.tsx'
import { projectStates, shownState } from './project-states.ts'

export function ProjectStateBadge({
  project,
  quiet,
}: {
  project: Pick<Project, 'state' | 'power'>
  quiet?: boolean
}) {
  const { label, tone, icon } = projectStates[shownState(project)]
  return (
    <Badge tone={tone} icon={icon} quiet={quiet}>
      {label()}
    </Badge>
  )
}

import { type StateFields, shownState } from '@slipway/contract/projects'
import { Badge } from '../../ui/badge.tsx'
import { projectStates } from './project-states.ts'

const Dot = () => (
  <span aria-hidden className="grid size-3.5 place-items-center">
    <span className="size-2 rounded-full bg-current" />
  </span>
)

/** The state of a project. */
export function ProjectStateBadge({
  project,
  isInRow,
}: {
  project: StateFields
  /** In a list the normal state is a dot and a text, so that the exceptions stand out. */
  isInRow?: boolean
}) {
  const state = shownState(project)
  const { label, tone, icon } = projectStates[state]
  if (isInRow && state === 'ready')
    return (
      // Its text aligns with those of the other badges.
      <span className="px-2 text-xs max-sm:-mr-2">
        <Badge tone={tone} icon={Dot} quiet>
          {label()}
        </Badge>
      </span>
    )
  return (
    <Badge tone={tone} icon={icon}>
      {label()}
    </Badge>
  )
}

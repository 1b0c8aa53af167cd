import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { Alert } from '../../ui/alert.tsx'

/** Says that the project is being moved, and the effect on visitors. */
export default function MoveNotice({ move }: { move: NonNullable<ProjectDetail['move']> }) {
  return (
    <Alert kind="info">{move.isPaused ? m.projects_moving_paused() : m.projects_moving()}</Alert>
  )
}

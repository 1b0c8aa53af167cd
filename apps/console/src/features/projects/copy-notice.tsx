import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { Alert } from '../../ui/alert.tsx'

/** Says that the files of the site are being copied, and the effect on visitors. */
export default function CopyNotice({ move }: Pick<ProjectDetail, 'move'>) {
  const moving = move?.isPaused ? m.projects_moving_paused() : m.projects_moving()
  return <Alert kind="info">{move === null ? m.projects_restoring() : moving}</Alert>
}

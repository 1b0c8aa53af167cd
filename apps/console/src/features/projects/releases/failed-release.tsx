import type { ProjectId } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { Alert } from '../../../ui/alert.tsx'
import { failureText } from './failure-texts.ts'
import { ReleaseLogButton } from './release-log-button.tsx'

export const FailedRelease = ({
  projectId,
  release,
}: {
  projectId: ProjectId
  release: Release
}) => (
  <Alert
    kind="failure"
    actions={<ReleaseLogButton projectId={projectId} number={release.number} />}
  >
    {m.release_failed({ number: release.number, reason: failureText(release) ?? '' })}
  </Alert>
)

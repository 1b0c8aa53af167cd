import type { ProjectId } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { Alert } from '../../../ui/alert.tsx'
import { failureText } from './failure-texts.ts'
import { ReleaseLogButton } from './release-log-button.tsx'

/** Why a release failed, and which one visitors see. */
export const FailedRelease = ({
  projectId,
  release,
  live,
}: {
  projectId: ProjectId
  release: Release
  live: Release | undefined
}) => (
  <Alert
    kind="failure"
    actions={
      <ReleaseLogButton
        projectId={projectId}
        number={release.number}
        label={m.release_log_view()}
        name={m.release_log_view_named({ number: release.number })}
      />
    }
  >
    {m.release_failed({ number: release.number, reason: failureText(release) ?? '' })}
    {live && <> {m.release_stays_live({ number: live.number })}</>}
  </Alert>
)

/** Why a release failed, in two lines of a list. */
export function FailureReason({ release }: { release: Release }) {
  const text = failureText(release)
  return (
    <span title={text ?? undefined} className="line-clamp-2 wrap-anywhere">
      {text}
    </span>
  )
}

import type { Project } from '@slipway/contract/projects'
import { type Release, rollBackRelease } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { useAction } from '../../../forms/use-action.ts'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { releasesQuery } from './release-queries.ts'

/** Makes the files of an earlier release live again, without a dialog: it can be undone. */
export function RollBackButton({
  project,
  release,
  showsNumber = false,
}: {
  project: Project
  release: Release
  /** For a button that is not in the list of releases. */
  showsNumber?: boolean
}) {
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const { number } = release
  const name = m.release_roll_back_named({ number })
  const button = useRef<HTMLButtonElement>(null)
  // The button is removed once its files run: the focus moves first.
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement === element) pageHeading()?.focus()
    }
  }, [])
  const action = useAction(async () => {
    const params = { id: project.id }
    await call(rollBackRelease, { params, body: { number }, idempotencyKey })
    setIdempotencyKey(newIdempotencyKey())
    await queryClient.invalidateQueries(releasesQuery(project.id))
    showToast('info', m.release_rolling_back({ number }))
  })
  return (
    <>
      <Button
        variant={showsNumber ? undefined : 'row'}
        ref={button}
        aria-label={name}
        pending={action.pending}
        onClick={() => action.run()}
      >
        {showsNumber ? name : m.release_roll_back()}
      </Button>
      {action.failure && <Alert kind="failure">{action.failure}</Alert>}
    </>
  )
}

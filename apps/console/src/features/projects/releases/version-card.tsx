import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ReleaseProblem } from './deployment.tsx'
import { ReleaseNews } from './release-news.tsx'
import { useReleases } from './release-queries.ts'

const UpdateDialog = lazyDialog(() =>
  import('./update-dialog.tsx').then((module) => module.UpdateDialog),
)

/** The version that the service provides for a site, with its update. */
export default function VersionCard({ project }: { project: Project }) {
  const { data, isPending } = useReleases(project.id)
  const newest = data?.items[0]
  const { current = null, update = null } = data?.version ?? {}
  return (
    <Card title={m.release_version_title()}>
      <div className="grid gap-4">
        {isPending && <Skeleton className="w-64" height="h-11" />}
        {data && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="grid gap-0.5">
              {current !== null && (
                <span className="font-medium">{m.release_version({ version: current })}</span>
              )}
              <span className="text-muted">
                {update === null
                  ? m.release_version_newest()
                  : m.release_version_available({ version: update })}
              </span>
            </p>
            {update !== null && newest?.state !== 'checking' && (
              // After each release a new dialog, with a new idempotency key.
              <Update key={newest?.number} project={project} version={update} />
            )}
          </div>
        )}
        {newest?.state === 'checking' && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner />
            {m.release_checking({ number: newest.number })}
          </p>
        )}
        <ReleaseNews project={project} />
        <ReleaseProblem projectId={project.id} />
      </div>
    </Card>
  )
}

function Update({ project, version }: { project: Project; version: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.release_update({ version })}</Button>
      <UpdateDialog
        projectId={project.id}
        version={version}
        open={open}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

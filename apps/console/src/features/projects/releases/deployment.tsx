import type { Project } from '@slipway/contract/projects'
import { type ComponentProps, useEffect } from 'react'
import { useOnDemand } from '../../../ui/on-demand.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { FailedRelease } from './failed-release.tsx'
import { useReleases } from './release-queries.ts'
import { DeployRow, deployRowClass } from './upload/deploy-row.tsx'

const loadFailedRelease = () => import('./failed-release.tsx')

/** The texts of all failures are large, and most projects have none. */
export function LazyFailedRelease(props: ComponentProps<typeof FailedRelease>) {
  const { part, fetch } = useOnDemand(loadFailedRelease)
  useEffect(() => void fetch(), [fetch])
  return part && <part.FailedRelease {...props} />
}

/** The place to deploy files from, and why the newest release failed. */
export function Deployment({ project }: { project: Project }) {
  const newest = useReleases(project.id).data?.items[0]
  return (
    <div className="grid gap-3">
      <DeployRow project={project} />
      {newest?.state === 'failed' && <LazyFailedRelease projectId={project.id} release={newest} />}
    </div>
  )
}

export const DeploymentSkeleton = () => (
  <div className={deployRowClass}>
    <Skeleton className="control-height w-full" />
  </div>
)

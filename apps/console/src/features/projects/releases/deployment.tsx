import type { ContainerImage } from '@slipway/contract/container-images'
import type { Project, ProjectId } from '@slipway/contract/projects'
import { deployImage } from '@slipway/contract/releases'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { Alert } from '../../../ui/alert.tsx'
import { useOnDemand } from '../../../ui/on-demand.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { FailedRelease } from './failed-release.tsx'
import { ReleaseNews, useReleaseNews } from './release-news.tsx'
import { releasesQuery, useReleases } from './release-queries.ts'
import { acceptsFiles } from './upload/accepted-files.ts'
import { DeployRow } from './upload/deploy-row.tsx'
import { deployRowClass } from './upload/deploy-row-class.ts'

const loadFailedRelease = () => import('./failed-release.tsx')

/** The texts of all failures are large, and most projects have none. */
function LazyFailedRelease(props: ComponentProps<typeof FailedRelease>) {
  const { part, preload } = useOnDemand(loadFailedRelease)
  useEffect(() => void preload(), [preload])
  return part ? <part.FailedRelease {...props} /> : <FailedReleaseSkeleton />
}

const FailedReleaseSkeleton = () => (
  <Alert kind="failure" actions={<Skeleton className="w-20" height="control-height" />}>
    <Skeleton className="w-64" />
    {/* On a phone its text wraps. */}
    <div className="grid sm:hidden">
      <Skeleton className="w-48" />
    </div>
  </Alert>
)

// Few projects run images.
const DeployImageRow = lazy(() => import('./image/deploy-image-row.tsx'))

export const DeploymentSkeleton = () => (
  <div className={deployRowClass}>
    <Skeleton className="w-5" height="h-5" />
    <span className="min-w-0 flex-1">
      <Skeleton className="w-64" />
    </span>
    <Skeleton className="w-28 max-sm:hidden" height="control-height" />
    <Skeleton className="w-28" height="control-height" />
  </div>
)

/** The row that deploys files or an image; only the news where customers deploy neither. */
export function DeploymentRow({
  project,
  isFirst = false,
}: {
  project: Project
  /** No release is live yet, and the row is the first on its page. */
  isFirst?: boolean
}) {
  if (acceptsFiles(project)) return <DeployRow project={project} isFirst={isFirst} />
  if (project.runtime === 'image') return <ImageRow project={project} isFirst={isFirst} />
  return <ReleaseNews project={project} />
}

/** The row that deploys an image; its form begins with the newest image. */
function ImageRow({ project, isFirst }: { project: Project; isFirst: boolean }) {
  const { id } = project
  const { data } = useReleases(id)
  const news = useReleaseNews(project)
  const queryClient = useQueryClient()
  async function deploy(body: ContainerImage, idempotencyKey: string) {
    await call(deployImage, { params: { id }, body, idempotencyKey })
    await queryClient.invalidateQueries(releasesQuery(id))
  }
  return (
    <Suspense fallback={<DeploymentSkeleton />}>
      <DeployImageRow
        image={data && (data.items.find(({ image }) => image !== null)?.image ?? null)}
        isFirst={isFirst}
        news={news}
        deploy={deploy}
      />
    </Suspense>
  )
}

/** Why the newest release failed; nothing if it did not. */
export function ReleaseProblem({ projectId }: { projectId: ProjectId }) {
  const releases = useReleases(projectId).data?.items ?? []
  const [newest] = releases
  if (newest?.state !== 'failed') return null
  return (
    <LazyFailedRelease
      projectId={projectId}
      release={newest}
      live={releases.find(({ state }) => state === 'live')}
    />
  )
}

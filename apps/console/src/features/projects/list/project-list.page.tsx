import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useEffect } from 'react'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { useHasMargin } from '../../../ui/use-has-margin.ts'
import { useProjects } from '../project-queries.ts'
import { ProjectStateAnnouncer } from '../project-state-announcer.tsx'
import { FirstSteps, RemainingSteps } from './first-steps.tsx'
import { lastNeedsHeight, storeNeedsHeight } from './needs-height.ts'
import { NeedsList } from './needs-list.tsx'
import { ProjectTable, ProjectTableSkeleton } from './project-table.tsx'
import { countNeeds, type Needs, useNeeds } from './use-needs.ts'

const RecentActivity = lazy(() => import('./recent-activity.tsx'))

const CreateProjectLink = () => (
  <ButtonLink to={paths.createProject()} variant="primary" icon={Plus}>
    {m.projects_create()}
  </ButtonLink>
)

const NoProjects = () => (
  <>
    <EmptyState title={m.projects_empty()} action={<CreateProjectLink />}>
      {m.projects_empty_hint()}
    </EmptyState>
    <FirstSteps />
  </>
)

const NeedsSkeleton = () => {
  const height = lastNeedsHeight()
  return height > 0 && <div style={{ height }} />
}

/** What waits for the user; nothing when nothing does. */
const NeedsOf = ({ needs }: { needs: Needs }) => {
  const count = countNeeds(needs)
  useEffect(() => {
    if (count === 0) storeNeedsHeight(0)
  }, [count])
  return count > 0 && <NeedsList needs={needs} />
}

/** The page, and beside it what happened last: as far as it goes in the margin of the window. */
const withFeedClass =
  'grid items-start grid-cols-[minmax(0,1fr)_18rem] *:min-w-0 *:w-full gap-8 mr-[calc(-1*min(20rem,(100vw-74rem)/2+1.5rem))]'

const Feed = () => (
  <aside>
    <Suspense>
      <RecentActivity />
    </Suspense>
  </aside>
)

/** The only project of a user who is new, once it has a site. */
function onlyProjectOf(projects: readonly Project[] = []) {
  const [project, ...others] = projects.filter(({ state }) => state !== 'deleted')
  const hasSite = project?.state === 'ready' || project?.state === 'modifying'
  return hasSite && others.length === 0 ? project : undefined
}

export function Page() {
  const query = useProjects()
  const onlyProject = onlyProjectOf(query.data)
  const needs = useNeeds(query.data)
  const hasFeed = useHasMargin()
  return (
    <div className={hasFeed ? withFeedClass : undefined}>
      <PageFrame
        // The empty state has this button already.
        actions={query.data?.length !== 0 && <CreateProjectLink />}
      >
        <ProjectStateAnnouncer projects={query.data} />
        <QueryView
          query={{ ...query, data: needs && query.data }}
          item={m.projects_item_list()}
          loading={
            <>
              <NeedsSkeleton />
              <ProjectTableSkeleton />
            </>
          }
        >
          {(projects) => (
            <>
              {needs && <NeedsOf needs={needs} />}
              {projects.length === 0 ? <NoProjects /> : <ProjectTable projects={projects} />}
              {onlyProject && <RemainingSteps project={onlyProject} />}
            </>
          )}
        </QueryView>
      </PageFrame>
      {hasFeed && <Feed />}
    </div>
  )
}

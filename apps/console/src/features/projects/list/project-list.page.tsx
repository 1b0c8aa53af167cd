import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useEffect } from 'react'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { useIsWide } from '../../../ui/use-is-wide.ts'
import { useProjects } from '../project-queries.ts'
import { ProjectStateAnnouncer } from '../project-state-announcer.tsx'
import { FeedSkeleton } from './feed-column.tsx'
import { FirstSteps, RemainingSteps, useRemainingSteps } from './first-steps.tsx'
import { ProjectTable, ProjectTableSkeleton } from './project-table.tsx'
import { TaskList } from './task-list.tsx'
import { lastTaskListHeight, storeTaskListHeight } from './task-list-height.ts'
import { countTasks, type Tasks, useTasks } from './use-tasks.ts'

const RecentActivity = lazy(() => import('./recent-activity.tsx'))

const CreateProjectLink = () => (
  <ButtonLink to={paths.createProject()} variant="primary" icon={Plus}>
    {m.projects_create()}
  </ButtonLink>
)

const NoProjects = () => (
  <FirstSteps>
    <EmptyState title={m.projects_empty()} action={<CreateProjectLink />} inCard>
      {m.projects_empty_hint()}
    </EmptyState>
  </FirstSteps>
)

/** Rows as high as those of the list, in the space that the list last had. */
const TaskListSkeleton = () => {
  const height = lastTaskListHeight()
  if (height === 0) return null
  return (
    <div
      style={{ height }}
      className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
    >
      {['w-40', 'w-56', 'w-36', 'w-48'].map((width) => (
        <div key={width} className="flex min-h-9 items-center gap-3 px-4 pointer-coarse:min-h-11">
          <Skeleton className="w-4 shrink-0" shape="circle" />
          <Skeleton className={width} />
        </div>
      ))}
    </div>
  )
}

/** The tasks that wait for the user; renders nothing if there are none. */
const TasksOf = ({ tasks }: { tasks: Tasks }) => {
  const count = countTasks(tasks)
  useEffect(() => {
    if (count === 0) storeTaskListHeight(0)
  }, [count])
  return count > 0 && <TaskList tasks={tasks} />
}

/** The list, and beside it the feed if there is one. */
const columnsClass = 'grid items-start gap-6 has-[>aside]:grid-cols-[minmax(0,1fr)_15rem]'

/** States of a project that takes no further steps. */
const endStates: Project['state'][] = ['failed_creating', 'deleting']

/** The only project of a new user. */
function onlyProjectOf(projects: readonly Project[] = []) {
  const [project, ...others] = projects.filter(({ state }) => state !== 'deleted')
  if (!project || others.length > 0) return undefined
  return endStates.includes(project.state) ? undefined : project
}

export function Page() {
  const query = useProjects()
  const onlyProject = onlyProjectOf(query.data)
  const { data: steps, isLoading } = useRemainingSteps(onlyProject)
  const tasks = useTasks(query.data)
  const isWide = useIsWide()
  return (
    <PageFrame
      // The empty state has this button already.
      actions={query.data?.length !== 0 && <CreateProjectLink />}
    >
      <ProjectStateAnnouncer projects={query.data} />
      <div className={columnsClass}>
        <div className="grid min-w-0 gap-6">
          <QueryView
            query={{ ...query, data: isLoading ? undefined : tasks && query.data }}
            item={m.projects_item_list()}
            loading={
              <>
                <TaskListSkeleton />
                <ProjectTableSkeleton />
              </>
            }
          >
            {(projects) => (
              <>
                {tasks && <TasksOf tasks={tasks} />}
                {onlyProject && steps && <RemainingSteps project={onlyProject} steps={steps} />}
                {projects.length === 0 ? <NoProjects /> : <ProjectTable projects={projects} />}
              </>
            )}
          </QueryView>
        </div>
        {isWide && (
          <Suspense fallback={<FeedSkeleton />}>
            <RecentActivity />
          </Suspense>
        )}
      </div>
    </PageFrame>
  )
}

import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { visibleData } from '../../api/missing.ts'
import { paths } from '../../paths.ts'
import { Breadcrumbs } from '../../shell/navigation/breadcrumbs.tsx'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { useParam } from '../../shell/navigation/route-params.ts'
import { useDocumentTitle } from '../../shell/page/document-title.ts'
import { QueryView } from '../../shell/page/query-view.tsx'
import { useScreen } from '../../shell/page/use-screen.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { displayName } from './display-name.ts'
import { ProjectMissing } from './project-missing.tsx'
import { isFirstLoad, useProject } from './project-queries.ts'

/** The content of a project's page, below the header of its layout. */
export function ProjectTab({
  isOverview = false,
  loading = <Skeleton className="w-full" height="h-40" />,
  children,
}: {
  /** True for the overview, whose title is the project's name. */
  isOverview?: boolean
  loading?: ReactNode
  /** `hasListDataOnly` until the project itself is loaded. */
  children: (project: ProjectDetail, hasListDataOnly: boolean) => ReactNode
}) {
  const projectKey = useParam('projectKey')
  const query = useProject(projectKey)
  const project = visibleData(query)
  const { title } = useScreen()
  const names = project ? [displayName(project)] : []
  const [first = title, ...within] = isOverview ? names : [title, ...names]
  useDocumentTitle(first, [...within, m.projects_title()])
  const content = (
    <QueryView
      query={query}
      item={m.projects_item_project()}
      loading={loading}
      missing={<ProjectMissing projectKey={projectKey} />}
      back={<ButtonLink to={paths.projects()}>{m.projects_show_all()}</ButtonLink>}
    >
      {(loadedProject) => children(loadedProject, query.isPlaceholderData)}
    </QueryView>
  )
  // Without a project the layout has no header.
  const hasHeader = project !== undefined || isFirstLoad(query)
  return (
    // Without the key React moves the element up when the header disappears: a layout shift.
    <div key={String(hasHeader)} className="grid min-w-0 gap-6">
      {!hasHeader && (
        <div className="grid gap-2">
          <Breadcrumbs
            trail={[{ to: paths.projects(), label: m.projects_title() }]}
            title={title}
          />
          <PageHeader title={title} />
        </div>
      )}
      {content}
    </div>
  )
}

import type { ProjectDetail, ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useLocation } from '@tanstack/react-router'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AccessButtons, ActionsSkeleton } from './access/access-buttons.tsx'
import { displayName } from './display-name.ts'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectName } from './project-name.tsx'
import { ProjectStateBadge } from './project-state-badge.tsx'
import { projectStates } from './project-states.ts'
import { SiteAddress } from './site/site-address.tsx'
import { SiteTile } from './site/site-tile.tsx'

const Frame = ({
  tile,
  name,
  address,
  children,
}: {
  tile: ReactNode
  name: ReactNode
  address: ReactNode
  children: ReactNode
}) => (
  <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
    <div className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 max-sm:gap-x-3">
      <div className="row-span-2 flex self-start pt-1.5">{tile}</div>
      {/* On a phone the badge is below the name. */}
      <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-sm:min-h-14 max-sm:flex-col max-sm:items-start">
        {name}
      </div>
      <div className="flex min-h-6 min-w-0 items-center">{address}</div>
    </div>
    <div className="control-height flex flex-wrap gap-2 max-sm:w-full max-sm:[&>a]:flex-1">
      {children}
    </div>
  </header>
)

/** One line, for a phone. The name and the address are edited and copied on the overview. */
const CompactFrame = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <header className="flex min-h-(--control-height) min-w-0 items-center gap-2">
    {name}
    <div className="ml-auto flex shrink-0 gap-2">{children}</div>
  </header>
)

/** True on a phone, except on the overview: the content of the page needs the height. */
function useIsCompact(projectKey: ProjectKey) {
  const { pathname } = useLocation()
  const isPhone = useIsPhone()
  return isPhone && pathname !== paths.project(projectKey)
}

/** In place of the buttons: what became of a deleted project. As high as they are. */
const DeletionNotice = ({ children }: { children: ReactNode }) => (
  <p className="control-height flex w-full items-center gap-2 rounded-md border border-info/30 bg-info-soft px-3 py-1">
    <Info className="size-4 shrink-0 text-info" aria-hidden />
    {children}
  </p>
)

export function ProjectHeader({ project }: { project: ProjectDetail }) {
  const isCompact = useIsCompact(project.key)
  const { isEditable, hint } = projectStates[project.state]
  const actions = (
    <>
      <AccessButtons project={project} isCompact={isCompact} />
      <ProjectMenu project={project} />
    </>
  )
  if (isCompact)
    return (
      <CompactFrame
        name={
          <>
            <h1 tabIndex={-1} className="truncate text-xl font-semibold">
              {displayName(project)}
            </h1>
            <ProjectStateBadge project={project} />
          </>
        }
      >
        {actions}
      </CompactFrame>
    )
  return (
    <Frame
      tile={<SiteTile project={project} size="heading" />}
      name={
        <>
          <ProjectName project={project} />
          <ProjectStateBadge project={project} />
        </>
      }
      address={<SiteAddress project={project} />}
    >
      {actions}
      {!isEditable && <DeletionNotice>{hint?.()}</DeletionNotice>}
    </Frame>
  )
}

export function ProjectHeaderSkeleton({ projectKey }: { projectKey: ProjectKey }) {
  const isCompact = useIsCompact(projectKey)
  const name = (
    <>
      <h1 tabIndex={-1}>
        <Skeleton className="w-40" height="h-6" />
        <VisuallyHidden>{m.projects_project()}</VisuallyHidden>
      </h1>
      <Skeleton className="w-16" height="h-5" />
    </>
  )
  const actions = <ActionsSkeleton isCompact={isCompact} />
  if (isCompact) return <CompactFrame name={name}>{actions}</CompactFrame>
  return (
    <Frame
      tile={
        <span className="flex size-12">
          <Skeleton className="w-full" height="h-full" />
        </span>
      }
      name={name}
      address={<Skeleton className="w-56" />}
    >
      {actions}
    </Frame>
  )
}

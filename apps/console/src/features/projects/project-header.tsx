import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AccessButtons, ActionsSkeleton } from './access/access-buttons.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectName } from './project-name.tsx'
import { ProjectStateBadge } from './project-state-badge.tsx'
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
    {/* Also for a deleted project, which has no buttons: the skeleton has the row. */}
    <div className="control-height flex flex-wrap gap-2 max-sm:w-full max-sm:[&>a]:flex-1">
      {children}
    </div>
  </header>
)

export const ProjectHeader = ({ project }: { project: ProjectDetail }) => (
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
    <AccessButtons project={project} />
    <ProjectMenu project={project} />
  </Frame>
)

export const ProjectHeaderSkeleton = () => (
  <Frame
    tile={
      <span className="flex size-12">
        <Skeleton className="w-full" height="h-full" />
      </span>
    }
    name={
      <h1 tabIndex={-1}>
        <Skeleton className="w-40" height="h-6" />
        <VisuallyHidden>{m.projects_project()}</VisuallyHidden>
      </h1>
    }
    address={<Skeleton className="w-56" />}
  >
    <ActionsSkeleton />
  </Frame>
)

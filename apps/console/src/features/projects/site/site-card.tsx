import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { siteUrl } from '../access/access-url.ts'
import { ProjectStateBadge } from '../project-state-badge.tsx'
import { projectStates, shownState } from '../project-states.ts'
import { SiteFacts, SiteFactsSkeleton } from './site-facts.tsx'
import { SitePicture } from './site-picture.tsx'

const Frame = ({ picture, children }: { picture: ReactNode; children: ReactNode }) => (
  <section
    aria-label={m.projects_site()}
    className="grid overflow-hidden rounded-md border border-line bg-surface md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
  >
    <div className="min-h-48">{picture}</div>
    <div className="grid min-w-0 content-center gap-5 p-4 sm:p-6">{children}</div>
  </section>
)

/** On a phone an address usually has two lines. */
const addressClass = 'flex min-h-8 items-center max-sm:min-h-12'

/** The address of the site; a link while there is one. */
function Address({ project }: { project: ProjectDetail }) {
  const url = siteUrl(project)
  const { protocol, host } = new URL(url ?? project.defaultUrl)
  const text = (
    <>
      <span className="text-muted">{`${protocol}//`}</span>
      {url && project.domainState === 'active' ? project.displayDomain : host}
    </>
  )
  return (
    <p className={`${addressClass} min-w-0 gap-2 text-base font-medium`}>
      <span
        aria-hidden
        className={
          url
            ? 'size-2.5 shrink-0 rounded-full bg-success'
            : 'size-2.5 shrink-0 rounded-full bg-line'
        }
      />
      <CopyValue
        text={url ?? project.defaultUrl}
        label={m.projects_copy({ label: m.projects_address() })}
      >
        {url ? (
          <a href={url} target="_blank" rel="noopener" title={url} className={linkClass}>
            {text}
            <VisuallyHidden> ({m.shell_new_tab()})</VisuallyHidden>
          </a>
        ) : (
          <span className="text-muted">{text}</span>
        )}
      </CopyValue>
    </p>
  )
}

function State({ project }: { project: ProjectDetail }) {
  const { failure } = project
  const { hint, isTransient } = projectStates[shownState(project)]
  // In a final state the failure explains the state.
  const shownHint = failure && !isTransient ? undefined : hint?.()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ProjectStateBadge project={project} />
      {shownHint && <span className="text-muted">{shownHint}</span>}
    </div>
  )
}

/** The site: how it looks, its state and address, and what there is to know about it. */
export const SiteCard = ({ project, loading }: { project: ProjectDetail; loading: boolean }) => (
  <Frame picture={<SitePicture project={project} />}>
    <div className="grid min-w-0 gap-2">
      <State project={project} />
      <Address project={project} />
    </div>
    <SiteFacts project={project} loading={loading} />
  </Frame>
)

export const SiteCardSkeleton = () => (
  <Frame picture={<Skeleton className="h-full w-full rounded-none" />}>
    <div className="grid gap-2">
      <span className="flex h-5 items-center">
        <Skeleton className="w-20" />
      </span>
      <span className={addressClass}>
        <Skeleton className="w-64" />
      </span>
    </div>
    <SiteFactsSkeleton />
  </Frame>
)

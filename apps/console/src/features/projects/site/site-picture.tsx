import { type Project, shownState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { classNames } from '../../../ui/class-names.ts'
import { displayName } from '../display-name.ts'
import { projectStates } from '../project-states.ts'
import { hueStyle } from './site-hue.ts'
import { SiteTile } from './site-tile.tsx'

const backClass = 'flex h-full min-h-48 overflow-hidden px-6 pt-6 select-none sm:px-8 sm:pt-8'
const windowClass = 'relative flex w-full flex-col overflow-hidden rounded-t-lg bg-surface elevated'

/**
 * The first page of the site in a window: a white page stays visible on the white card. Before the
 * first picture a drawing in the site's hue. Gray while visitors see no site.
 */
export const SitePicture = ({ project }: { project: Project }) => (
  <div style={hueStyle(project)} className={`bg-hover ${backClass}`}>
    <div
      className={classNames(
        windowClass,
        projectStates[shownState(project)].noSiteReason && 'site-gray',
      )}
    >
      {project.picture ? (
        <img
          src={project.picture.large}
          alt={m.projects_picture({ name: displayName(project) })}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover object-left-top"
        />
      ) : (
        <Drawing project={project} />
      )}
    </div>
  </div>
)

/**
 * A drawn browser window, whose page begins with the site's initial; its name is the heading beside
 * the drawing. Decoration only.
 */
const Drawing = ({ project }: { project: Project }) => (
  <div aria-hidden className="site-paper flex flex-1 flex-col">
    <WindowBar />
    <div className="grid flex-1 content-center gap-2.5 px-5 py-4">
      <SiteTile project={project} size="heading" />
      <span className={`h-2 w-3/4 rounded-full ${drawnClass}`} />
      <span className={`h-2 w-2/3 rounded-full ${drawnClass}`} />
    </div>
  </div>
)

const drawnClass = 'bg-current opacity-20'

const WindowBar = () => (
  <div className="flex items-center gap-1.5 px-3 py-2.5">
    <span className={`size-2 rounded-full ${drawnClass}`} />
    <span className={`size-2 rounded-full ${drawnClass}`} />
    <span className={`size-2 rounded-full ${drawnClass}`} />
    <span className={`ml-2 h-3 flex-1 rounded-full ${drawnClass}`} />
  </div>
)

/** The window while the project loads; its hue is not known yet. */
export const SitePictureSkeleton = () => (
  <div aria-hidden className={`bg-hover text-muted ${backClass}`}>
    <div className={classNames('animate-shimmer', windowClass)}>
      <WindowBar />
    </div>
  </div>
)

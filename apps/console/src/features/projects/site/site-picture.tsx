import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { classNames } from '../../../ui/class-names.ts'
import { displayName } from '../display-name.ts'
import { projectStates, shownState } from '../project-states.ts'
import { hueStyle } from './site-hue.ts'

/** The first page of the site; a drawing before its first picture. */
export const SitePicture = ({ project }: { project: Project }) =>
  project.picture ? (
    // The border separates a white page from the card.
    <div className="relative h-full min-h-40 border-line max-md:border-b md:border-r">
      <img
        src={project.picture.large}
        alt={m.projects_picture({ name: displayName(project) })}
        loading="lazy"
        decoding="async"
        className={classNames(
          'absolute inset-0 size-full object-cover object-top',
          projectStates[shownState(project)].noSiteReason && 'grayscale',
        )}
      />
    </div>
  ) : (
    <Drawing project={project} />
  )

/** A drawn browser window with the site's name, on the site's hue. Decoration only. */
const Drawing = ({ project }: { project: Project }) => (
  <div
    aria-hidden
    style={hueStyle(project)}
    className={classNames(
      'site-tile flex h-full min-h-40 items-end overflow-hidden px-6 pt-6 select-none sm:px-8 sm:pt-8',
      projectStates[shownState(project)].noSiteReason && 'grayscale',
    )}
  >
    <div className="flex h-full w-full flex-col overflow-hidden rounded-t-lg bg-surface elevated">
      <div className="flex items-center gap-1.5 border-b border-line px-3 py-2">
        <span className="size-2 rounded-full bg-line" />
        <span className="size-2 rounded-full bg-line" />
        <span className="size-2 rounded-full bg-line" />
        <span className="ml-2 h-4 flex-1 rounded-full bg-hover" />
      </div>
      <div className="grid flex-1 content-center gap-2 px-5 py-4">
        <span className="site-name truncate text-xl font-semibold tracking-tight">
          {displayName(project)}
        </span>
        <span className="h-2 w-3/4 rounded-full bg-hover" />
        <span className="h-2 w-1/2 rounded-full bg-hover" />
      </div>
    </div>
  </div>
)

import type { Project } from '@slipway/contract/projects'
import { classNames } from '../../../ui/class-names.ts'
import { displayName } from '../display-name.ts'
import { hueStyle } from './site-hue.ts'

/**
 * A small picture of the site; before the first, the first letter of its name on its color. Gray
 * without a site. Decoration only.
 */
export const SiteTile = ({
  project,
  large,
}: {
  project: Pick<Project, 'key' | 'name' | 'state' | 'picture'>
  large?: boolean
}) =>
  project.picture ? (
    <img
      src={project.picture.small}
      alt=""
      loading="lazy"
      decoding="async"
      className={classNames(
        'shrink-0 border border-line object-cover object-top',
        large ? 'size-12 rounded-lg' : 'size-9 rounded-md',
      )}
    />
  ) : (
    <span
      aria-hidden
      data-initial={[...displayName(project)][0]}
      style={hueStyle(project)}
      className={classNames(
        'site-tile before:content-[attr(data-initial)] inline-flex shrink-0 items-center justify-center font-semibold uppercase select-none',
        large ? 'size-12 rounded-lg text-xl' : 'size-9 rounded-md',
        project.state === 'deleted' && 'grayscale',
      )}
    />
  )

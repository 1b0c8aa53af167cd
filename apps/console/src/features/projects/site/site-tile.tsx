import type { Project } from '@slipway/contract/projects'
import { classNames } from '../../../ui/class-names.ts'
import { displayName } from '../display-name.ts'
import { hueStyle } from './site-hue.ts'

/** The shape of a window. */
const rowClass = 'h-9 w-14'

const sizes = {
  icon: '-mx-0.5 size-5 rounded-md text-xs',
  row: `${rowClass} rounded-md`,
  heading: 'size-12 rounded-lg text-xl',
}

/**
 * The tile of a site: its small picture in a list, otherwise its initial in its hue. Gray for a
 * deleted project. Decoration only.
 */
export const SiteTile = ({
  project,
  size = 'row',
}: {
  project: Pick<Project, 'key' | 'name' | 'state' | 'picture'>
  size?: keyof typeof sizes
}) =>
  project.picture && size === 'row' ? (
    <img
      src={project.picture.small}
      alt=""
      loading="lazy"
      decoding="async"
      className={`${rowClass} shrink-0 rounded-md border border-line object-cover object-left-top`}
    />
  ) : (
    <span
      aria-hidden
      data-initial={[...displayName(project)][0]}
      style={hueStyle(project)}
      className={classNames(
        'site-tile before:content-[attr(data-initial)] inline-flex shrink-0 items-center justify-center font-semibold uppercase select-none',
        sizes[size],
        project.state === 'deleted' && 'site-gray',
      )}
    />
  )

import type { Project } from '@slipway/contract/projects'
import { classNames } from '../../../ui/class-names.ts'
import { displayName } from '../display-name.ts'
import { hueStyle } from './site-hue.ts'

/** The first letter of a site's name on its own hue; grey without a site. Decoration only. */
export const SiteTile = ({
  project,
  large,
}: {
  project: Pick<Project, 'key' | 'name' | 'state'>
  large?: boolean
}) => (
  <span
    aria-hidden
    data-initial={[...displayName(project)][0]}
    style={hueStyle(project)}
    className={classNames(
      'site-tile before:content-[attr(data-initial)] inline-flex shrink-0 items-center justify-center rounded-md font-semibold uppercase select-none',
      'size-9',
      large && 'text-base',
      project.state === 'deleted' && 'grayscale',
    )}
  />
)

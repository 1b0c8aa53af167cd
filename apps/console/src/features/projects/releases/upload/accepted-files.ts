import type { Project } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'

/** The hints about files to deploy; a static site's by default. Null: customers upload no files. */
const hints: Partial<Record<Runtime, (() => string) | null>> = {
  starter: m.release_drop_starter,
  node: m.release_drop_node,
  php: m.release_drop_php,
  wordpress: null,
  image: null,
}

export const acceptsFiles = ({ runtime }: Project) => hints[runtime] !== null

/** The hint before the first release. */
export const noReleasesHint = (project: Project) =>
  project.runtime === 'image'
    ? m.release_image_none()
    : acceptsFiles(project)
      ? m.release_none_hint()
      : m.release_none_version()

export const filesHint = ({ runtime }: Project) => (hints[runtime] ?? m.release_drop_hint)()

import type { Project } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'

/** What can be deployed; a static site unless listed. Null: only operators add files. */
const hints: Partial<Record<Runtime, (() => string) | null>> = {
  starter: m.release_drop_starter,
  node: m.release_drop_node,
  php: m.release_drop_php,
  wordpress: null,
}

/** True when customers upload the files of a project. */
export const takesFiles = ({ runtime }: Project) => hints[runtime] !== null

/** What the files of a project have to be. */
export const filesHint = ({ runtime }: Project) => (hints[runtime] ?? m.release_drop_hint)()

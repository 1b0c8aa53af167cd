import type { Project } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'

export const runtimeNames: Record<Runtime, () => string> = {
  starter: () => m.runtime_starter(),
  static: () => m.runtime_static(),
  node: () => m.runtime_node(),
  php: () => m.runtime_php(),
  wordpress: () => m.runtime_wordpress(),
  image: () => m.runtime_image(),
}

/** The software of a project, with the version that its engine reported. */
export const softwareName = ({ runtime, software }: Pick<Project, 'runtime' | 'software'>) =>
  (runtime === 'starter' ? null : software) ?? runtimeNames[runtime]()

import { createNodeRuntime, type NodeRuntimeOptions } from './node/node.runtime.ts'
import type { LocalRuntime } from './runtime.ts'
import { createStarterRuntime, type StarterLimits } from './starter/starter.runtime.ts'
import { staticRuntime } from './static/static.runtime.ts'

/** What this engine runs, in the order that the console offers. */
export const createRuntimes = (options: {
  starter: StarterLimits
  siteSource: string | undefined
  node: NodeRuntimeOptions
}): readonly LocalRuntime[] => [
  createStarterRuntime(options.starter, options.siteSource),
  staticRuntime,
  createNodeRuntime(options.node),
]

import { createNodeRuntime, type NodeRuntimeOptions } from './node/node.runtime.ts'
import { createPhpRuntime } from './php/php.runtime.ts'
import type { PhpOptions } from './php/php-program.ts'
import type { LocalRuntime } from './runtime.ts'
import { createStarterRuntime, type StarterLimits } from './starter/starter.runtime.ts'
import { staticRuntime } from './static/static.runtime.ts'
import { createWordPressRuntime } from './wordpress/wordpress.runtime.ts'

/** The runtimes of this engine, in the order that the console offers. */
export const createRuntimes = (options: {
  starter: StarterLimits
  siteSource: string | undefined
  node: NodeRuntimeOptions
  php: PhpOptions
}): readonly LocalRuntime[] => [
  createStarterRuntime(options.starter, options.siteSource),
  staticRuntime,
  createNodeRuntime(options.node),
  createPhpRuntime(options.php),
  createWordPressRuntime(),
]

import type { ClusterRuntime, GetEmailAccess, RuntimeImages } from './cluster-runtime.ts'
import { imageRuntime } from './image.runtime.ts'
import { nodeRuntime } from './node.runtime.ts'
import { phpRuntime } from './php.runtime.ts'
import { starterRuntime } from './starter.runtime.ts'
import { staticRuntime } from './static.runtime.ts'
import { wordPressRuntime } from './wordpress.runtime.ts'

/** All runtimes, in the order that the console offers. */
export const createRuntimes = (
  images: RuntimeImages,
  size: { memoryMiB: number },
  emailAccess: GetEmailAccess,
): readonly ClusterRuntime[] => [
  starterRuntime(images),
  staticRuntime,
  nodeRuntime(images, size),
  phpRuntime(images, emailAccess),
  wordPressRuntime(images, emailAccess),
  imageRuntime,
]

import { createPhpRuntime } from '../../local/runtimes/php/php.runtime.ts'
import { anyPage, type ClusterRuntime, type RuntimeImages } from './cluster-runtime.ts'
import { phpProgram } from './php-program.ts'

const local = createPhpRuntime()

/** A folder of PHP files, which php-fpm runs. */
export const phpRuntime = (images: RuntimeImages): ClusterRuntime => ({
  id: 'php',
  serving: 'fastcgi',
  needsRelease: true,
  isUntrusted: true,
  hasImage: images.php !== undefined && images.node !== undefined,
  check: local.check,
  program: async (instance) =>
    phpProgram(instance, images, '/app/index.php', { UPLOADS_DIR: '/data/uploads' }),
  probe: () => anyPage,
  metadata: () => [],
})

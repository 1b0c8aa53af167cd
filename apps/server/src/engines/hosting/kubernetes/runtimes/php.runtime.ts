import { createPhpRuntime } from '../../local/runtimes/php/php.runtime.ts'
import {
  anyPage,
  type ClusterRuntime,
  type GetEmailAccess,
  type RuntimeImages,
} from './cluster-runtime.ts'
import { phpProgram, phpVersions } from './php-program.ts'

const local = createPhpRuntime()

export const phpRuntime = (images: RuntimeImages, emailAccess: GetEmailAccess): ClusterRuntime => ({
  id: 'php',
  serving: 'fastcgi',
  needsRelease: true,
  isUntrusted: true,
  lacksImage: images.php === undefined || images.node === undefined,
  check: local.check,
  program: async (instance) =>
    phpProgram(instance, images, emailAccess, '/app/index.php', { UPLOADS_DIR: '/data/uploads' }),
  probe: () => anyPage,
  async metadata(_instance, running) {
    const versions = running && (await phpVersions(running))
    return versions && [{ key: 'runtime_version', value: `PHP ${versions.php}` }]
  },
})

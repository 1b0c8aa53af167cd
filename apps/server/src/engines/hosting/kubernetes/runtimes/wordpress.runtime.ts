import { runWordPressCron } from '../../local/runtimes/wordpress/requests.ts'
import { createWordPressRuntime } from '../../local/runtimes/wordpress/wordpress.runtime.ts'
import {
  anyPage,
  type ClusterRuntime,
  type GetEmailAccess,
  noReleases,
  type RuntimeImages,
} from './cluster-runtime.ts'
import { phpProgram, phpVersions } from './php-program.ts'

const local = createWordPressRuntime()

/** WordPress in a version that the operator added. Each site has its own database. */
export const wordPressRuntime = (
  images: RuntimeImages,
  emailAccess: GetEmailAccess,
): ClusterRuntime => ({
  id: 'wordpress',
  serving: 'fastcgi',
  needsRelease: true,
  isUntrusted: true,
  lacksImage: images.php === undefined || images.node === undefined,
  check: noReleases,
  ...(local.versionOf ? { versionOf: local.versionOf } : {}),

  program: async (instance) =>
    phpProgram(instance, images, emailAccess, '/slipway/health.php', {
      SLIPWAY_NAME: instance.name,
      SLIPWAY_VERSION: instance.artifact ?? '',
      SLIPWAY_ISSUER: instance.signIn.issuer,
      SLIPWAY_CLIENT_ID: instance.signIn.clientId,
      SLIPWAY_CLIENT_SECRET: instance.signIn.clientSecret,
      // The login provider of the site, which it reaches without a socket of the engine.
      SLIPWAY_PROVIDER: instance.signIn.issuer,
    }),

  probe: () => anyPage,
  background: runWordPressCron,
  async metadata(_instance, running) {
    const versions = running && (await phpVersions(running))
    const wordPress = running?.folder && (await local.versionOf?.(running.folder))
    if (!versions || !wordPress) return null
    return [
      { key: 'cms_version', value: `WordPress ${wordPress}` },
      { key: 'database_version', value: `SQLite ${versions.sqlite}` },
      { key: 'runtime_version', value: `PHP ${versions.php}` },
    ]
  },
})

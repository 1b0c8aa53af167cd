import type { ClusterRuntime } from './cluster-runtime.ts'
import { noReleases } from './cluster-runtime.ts'

const defaultPath = '/'

/** Any container image that its owner names. */
export const imageRuntime: ClusterRuntime = {
  id: 'image',
  serving: 'http',
  needsRelease: true,
  isUntrusted: true,
  lacksImage: false,
  check: noReleases,

  async program({ key, image, registry }) {
    if (!image) throw new Error(`${key} has no image`)
    const { reference, port, healthPath, userId, dataPath } = image
    return {
      image: reference,
      needsCredentials: registry !== null,
      env: {},
      port,
      userId,
      startCheck: { path: healthPath },
      // Its image may have no shell.
      livenessPath: null,
      drainCommand: null,
      dataPath,
      release: null,
      settings: null,
    }
  },

  probe: ({ image }) => ({
    path: image?.healthPath ?? defaultPath,
    isHealthy: (status) => status < 500,
  }),
  metadata: async ({ image }) =>
    image ? [{ key: 'runtime_version', value: image.reference }] : [],
}

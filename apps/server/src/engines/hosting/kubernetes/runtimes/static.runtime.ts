import { staticRuntime as local } from '../../local/runtimes/static/static.runtime.ts'
import { anyPage, type ClusterRuntime } from './cluster-runtime.ts'

/** Files that the gateway serves alone: no pod. */
export const staticRuntime: ClusterRuntime = {
  id: 'static',
  serving: 'files',
  needsRelease: true,
  isUntrusted: false,
  lacksImage: false,
  check: local.check,
  probe: () => anyPage,
  metadata: async () => [],
}

import type { LocalRuntime } from '../runtime.ts'

/** A folder of files, which the gateway serves: there is no process. */
export const staticRuntime: LocalRuntime = {
  id: 'static',
  serving: 'files',
  needsRelease: true,
  detect: async () => ({ version: null, reason: null }),
  check: async (manifest) => (manifest.has('index.html') ? null : { failure: 'index_missing' }),
  probe: { path: '/', isHealthy: (status) => status < 500 },
  restartsHanging: false,
  metadata: () => [],
}

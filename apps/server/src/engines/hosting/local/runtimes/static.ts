import type { RuntimeSupport } from '../../engine.ts'

/** A folder of files, which the gateway serves: there is no process. */
export const staticRuntime: RuntimeSupport = {
  id: 'static',
  detect: () => ({ version: null, reason: null }),
  check: (manifest) => (manifest.has('index.html') ? null : { failure: 'index_missing' }),
}

import type { RuntimeSupport } from '../../engine.ts'

/** The page that a project has before anything is deployed. It has no releases. */
export const starterRuntime: RuntimeSupport = {
  id: 'starter',
  detect: () => ({ version: process.versions.node, reason: null }),
  check: () => ({ failure: 'runtime_has_no_releases' }),
}

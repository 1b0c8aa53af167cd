import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** True when npm reaches its registry with the certificates that a sandbox has. */
export const hasNpmRegistry = (): Promise<boolean> =>
  promisify(execFile)('npm', ['ping'], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', NODE_USE_SYSTEM_CA: '1' },
    timeout: 20_000,
  }).then(
    () => true,
    () => false,
  )

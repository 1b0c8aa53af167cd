import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from './child-process.ts'

/**
 * The path of Lighthouse's command line. It is installed separately: it is four times as large as
 * all other packages.
 */
export async function installLighthouse() {
  const folder = join(import.meta.dirname, '../lighthouse')
  const cli = join(folder, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(cli)) {
    const options = { cwd: folder, stdio: 'pipe', shell: process.platform === 'win32' } as const
    await startProcess('npm', ['ci', '--silent'], options).waitForSuccess()
  }
  return cli
}

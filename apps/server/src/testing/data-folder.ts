import { chmod, mkdtemp } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { removeTree } from '../remove-tree.ts'
import { expectNoProcesses } from './processes.ts'

/**
 * A data folder that the sites' users can enter, deleted after the test, which leaves no process.
 */
export const createDataFolder = async (): Promise<string> => {
  const folder = await mkdtemp('/tmp/hosting-test-')
  await chmod(folder, 0o711)
  onTestFinished(async () => {
    await expectNoProcesses(folder)
    await removeTree(folder)
  })
  return folder
}

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { expectNoProcesses } from './processes.ts'

/**
 * A data folder that the sites' users can enter, deleted after the test, which leaves no process.
 */
export const createDataFolder = async (): Promise<string> => {
  const folder = await mkdtemp('/tmp/hosting-test-')
  await chmod(folder, 0o711)
  onTestFinished(async () => {
    await expectNoProcesses(folder)
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'

/** A data folder that the sites' users can enter, deleted after the test. */
export const createDataFolder = async (): Promise<string> => {
  const folder = await mkdtemp('/tmp/hosting-test-')
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

import { chown, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { measureUnlinkedFiles } from './unlinked-files.ts'

const isRoot = process.getuid?.() === 0

async function openUnlinked(file: string, text: string) {
  const handle = await open(file, 'w')
  onTestFinished(() => handle.close())
  await handle.writeFile(text)
  return { unlink: () => rm(file) }
}

it.skipIf(process.platform !== 'linux' || !isRoot)(
  'counts the deleted open files of an account, and none of the service',
  async () => {
    const folder = await createDataFolder()
    const [ofAccount, ofService] = [join(folder, 'account'), join(folder, 'service')]
    const files = [await openUnlinked(ofAccount, 'a'), await openUnlinked(ofService, 'b')]
    await chown(ofAccount, 12_345, 12_345)
    for (const { unlink } of files) await unlink()
    const { bytes, entries } = await measureUnlinkedFiles(folder, [process.pid])
    expect(entries).toBe(1)
    expect(bytes).toBeGreaterThan(0)
  },
)

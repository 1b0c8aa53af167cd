import { ArchiveError } from './archive-error.ts'
import { type Unpacking, unpackArchive } from './unpack-archive.ts'
import type { Unpacked } from './unpack-in-process.ts'

async function unpack(unpacking: Unpacking): Promise<Unpacked> {
  try {
    await unpackArchive(unpacking)
    return { state: 'done' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') return { state: 'disk_full' }
    if (!(error instanceof ArchiveError)) return { state: 'failed', reason: String(error) }
    const { problem, file, max } = error
    return { state: 'rejected', problem, file, max }
  }
}

// The server was killed: another worker unpacks the archive again.
process.on('disconnect', () => process.exit())
process.once('message', async (unpacking: Unpacking) => {
  const result = await unpack(unpacking)
  process.send?.(result, () => process.disconnect?.())
})

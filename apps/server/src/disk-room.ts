import { statfs } from 'node:fs/promises'
import { Transform } from 'node:stream'

/** Bytes that copies of sites leave free: the database may be on the same disk. */
const reservedBytes = 200_000_000
/** The bytes between two checks of a copy. Many copies run at once. */
const checkedBytes = 4_000_000

/** Bytes that are free on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Like the error of a full disk, before the disk is full. */
const noRoom = () =>
  Object.assign(new Error('The disk is nearly full: a copy of a site ended'), { code: 'ENOSPC' })

/** Passes on bytes for a folder. Fails with ENOSPC while its disk is nearly full. */
export function keepRoom(folder: string, measureFreeBytes = freeBytesOf): Transform {
  let uncheckedBytes = checkedBytes
  const check = async () => {
    if (uncheckedBytes < checkedBytes) return
    if ((await measureFreeBytes(folder)) < reservedBytes) throw noRoom()
    uncheckedBytes = 0
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      uncheckedBytes += chunk.length
      check().then(() => done(null, chunk), done)
    },
  })
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { tarOf } from '../testing/archives.ts'
import { unpackTar } from './unpack-tar.ts'

const limits = { files: 10, unpackedBytes: 5_000_000 }

it('an archive that turns out damaged while a file is written ends no process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-tar-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const archive = Buffer.from(await tarOf({ 'index.html': randomBytes(1_000_000) }))
  // The checksum of gzip, in its last eight bytes (RFC 1952 §2.3.1).
  archive.fill(0xff, archive.length - 8)
  const path = join(folder, 'damaged.tar.gz')
  await writeFile(path, archive)
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled))

  const slowWriter = {
    async file(_path: string, content: Readable) {
      content.on('error', () => undefined).resume()
      await sleep(100)
    },
    folder: () => sleep(100),
    link: () => undefined,
    expectFiles: () => undefined,
    finish: () => Promise.resolve(),
  }
  await expect(unpackTar(path, slowWriter, limits)).rejects.toThrow()
  expect(unhandled).toEqual([])
})

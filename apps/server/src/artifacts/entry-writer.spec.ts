import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEntryWriter } from './entry-writer.ts'

async function createWriter() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-entries-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { folder, writer: createEntryWriter(folder, { files: 10, unpackedBytes: 1_000 }) }
}

describe('the content of an entry', () => {
  it('fails its entry, and not the process, when it is damaged before it is read', async () => {
    const { writer } = await createWriter()
    const content = new Readable({ read() {} })
    const written = writer.file('folder/index.html', content, false)
    content.destroy(new Error('damaged'))
    await expect(written).rejects.toThrow('damaged')
  })

  it('is closed when its entry is rejected', async () => {
    const { folder, writer } = await createWriter()
    await writer.file('index.html', Readable.from(['one']), false)
    const content = new Readable({ read() {} })
    await expect(writer.file('INDEX.html', content, false)).rejects.toThrow()
    expect(content.destroyed).toBe(true)
    expect(await readdir(folder)).toEqual(['index.html'])
  })
})

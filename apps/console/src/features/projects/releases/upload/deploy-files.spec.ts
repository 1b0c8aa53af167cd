import type { ProjectId } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { describe, expect, it, vi } from 'vitest'
import { uploadRelease } from '../../../../api/upload.ts'
import { archiveType, describeFiles } from './chosen-files.ts'
import { itemsOfInput } from './chosen-items.ts'
import { deployFiles } from './deploy-files.ts'

vi.mock('../../../../api/upload.ts', () => ({ uploadRelease: vi.fn() }))

const id = 'mill' as ProjectId

/** Deploys chosen files, and returns the archive that is uploaded. */
async function uploadedArchive(...files: File[]) {
  vi.mocked(uploadRelease)
    .mockReset()
    .mockResolvedValue({} as Release)
  const steps: string[] = []
  await deployFiles(id, itemsOfInput(files), {
    runtime: undefined,
    idempotencyKey: 'key',
    maxArchiveBytes: Infinity,
    signal: new AbortController().signal,
    onFiles: () => undefined,
    onProgress: (step) => steps.push(step),
  })
  const archive = vi.mocked(uploadRelease).mock.calls[0]?.[1]
  if (!archive) throw new Error('nothing was uploaded')
  return { type: archive.type, text: await archive.text(), steps }
}

describe('an archive that is chosen by itself', () => {
  it.each([
    ['site.tar.gz', 'application/gzip'],
    ['site.tgz', 'application/gzip'],
    ['SITE.TAR.GZ', 'application/gzip'],
    ['site.zip', 'application/zip'],
  ])('is uploaded as it is: %s', async (name, type) => {
    const file = new File(['the bytes of the archive'], name)
    expect(await uploadedArchive(file)).toEqual({
      type,
      text: 'the bytes of the archive',
      steps: ['uploading'],
    })
  })
})

describe('files that are packed', () => {
  const fileOf = (path: string) => ({ path, file: new File([''], path) })

  it.each([
    ['an archive beside another file', ['site.tar.gz', 'index.html']],
    ['a compressed file that is no archive', ['data.gz']],
    ['a tar that is not compressed', ['site.tar']],
    ['a page', ['index.html']],
  ])('are %s', (_, paths) => {
    expect(archiveType(paths.map(fileOf))).toBeUndefined()
  })
})

describe('the description of chosen files', () => {
  const fileOf = (path: string) => ({ path, file: new File(['1234'], path.split('/').pop() ?? '') })

  it.each([
    ['the folder', ['dist/index.html', 'dist/css/site.css'], { name: 'dist', count: 2, bytes: 8 }],
    ['the only file', ['dist/index.html'], { name: 'index.html', count: 1, bytes: 4 }],
    ['nothing of two folders', ['a/1.html', 'b/2.html'], { name: null, count: 2, bytes: 8 }],
    ['nothing without a folder', ['1.html', '2.html'], { name: null, count: 2, bytes: 8 }],
  ])('names %s', (_, paths, description) => {
    expect(describeFiles(paths.map(fileOf))).toEqual(description)
  })
})

import { describe, expect, it } from 'vitest'
import { limits } from './limits.ts'
import { uploadProblem } from './releases.ts'

const megabyte = 1_000_000
const files = limits.releaseFilesMax

describe('uploadProblem', () => {
  it.each([
    ['too_many_files', { files: files + 1, bytes: 1, archiveBytes: 0 }, files + 1, files],
    [
      'too_large_unpacked',
      { files: 1, bytes: 5 * megabyte + 1, archiveBytes: 0 },
      5 * megabyte + 1,
      5 * megabyte,
    ],
    ['too_large', { files: 1, bytes: 1, archiveBytes: megabyte + 1 }, megabyte + 1, megabyte],
  ])('finds %s before the upload', (problem, counts, found, max) => {
    expect(uploadProblem(counts, megabyte)).toEqual({ problem, found, max })
  })

  it('finds none within the limits', () => {
    const counts = { files, bytes: 5 * megabyte, archiveBytes: megabyte }
    expect(uploadProblem(counts, megabyte)).toBeUndefined()
  })
})

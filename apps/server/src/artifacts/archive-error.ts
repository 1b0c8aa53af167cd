import type { ArchiveProblem } from '@slipway/contract/releases'

export class ArchiveError extends Error {
  readonly problem: ArchiveProblem
  /** The invalid entry, as the archive names it. */
  readonly file: string | undefined
  /** Maximum accepted bytes; undefined if size is not the problem. */
  readonly max: number | undefined

  constructor(problem: ArchiveProblem, file?: string, max?: number) {
    super(file === undefined ? problem : `${problem}: ${file}`)
    this.problem = problem
    this.file = file
    this.max = max
  }
}

/** An archive, or its files, with more than `max` bytes. */
export const tooLarge = (problem: 'too_large' | 'too_large_unpacked', max: number) =>
  new ArchiveError(problem, undefined, max)

/** The disk has too little room for an upload, or for its unpacked files. */
export class DiskFullError extends Error {
  constructor() {
    super('the disk has too little room for an upload')
  }
}

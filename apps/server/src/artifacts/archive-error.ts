import type { ArchiveProblem } from '@slipway/contract/releases'

/** An archive that is not accepted. `file` is the entry that is wrong, as the archive names it. */
export class ArchiveError extends Error {
  readonly problem: ArchiveProblem
  readonly file: string | undefined

  constructor(problem: ArchiveProblem, file?: string) {
    super(file === undefined ? problem : `${problem}: ${file}`)
    this.problem = problem
    this.file = file
  }
}

import { readFile } from 'node:fs/promises'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { ifThere } from '../files/file-errors.ts'

/** What is written down about the process of a site, so that a later server finds it. */
export type ProcessRecord = {
  pid: number
  /** See {@link readStartTime}: a process id alone proves nothing. */
  startTime: string
  /** The site's version that runs in it. */
  version: string
  /** Stands for everything that needs a restart when it changes: code, runtime, limits. */
  launch: string
}

const parse = (text: string): ProcessRecord | null => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  if (typeof value !== 'object' || value === null) return null
  const { pid, startTime, version, launch } = value as Record<string, unknown>
  // 0 and negative numbers mean whole process groups to kill(2), 1 is init.
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 2) return null
  if (typeof startTime !== 'string' || typeof version !== 'string') return null
  return typeof launch === 'string' ? { pid, startTime, version, launch } : null
}

/** The record, or null when there is none or it is not one of ours. */
export const readProcessRecord = async (path: string): Promise<ProcessRecord | null> => {
  const text = await ifThere(readFile(path, 'utf8'))
  return text === null ? null : parse(text)
}

/** Writes down which process runs the site, whole or not at all: whoever starts next finds it by this. */
export const writeProcessRecord = (path: string, record: ProcessRecord): Promise<void> =>
  writeFileAtomic(path, `${JSON.stringify(record)}\n`, { mode: 0o600 })

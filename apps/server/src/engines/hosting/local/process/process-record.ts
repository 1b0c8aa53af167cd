import { readFile } from 'node:fs/promises'
import { nullIfMissing } from '../../../../file-errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'

/** The stored record of a site's process, by which a later server finds it. */
export type ProcessRecord = {
  pid: number
  /** See {@link readStartTime}: process ids are reused. */
  startTime: string
  version: string
  /** The launch id, see {@link launchIdOf}. */
  launch: string
  /**
   * The name of its socket in the site's folder of sockets; null for a process of an older server.
   */
  socket: string | null
  /** The name of its control group; null for a program without a sandbox. */
  group: string | null
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

const parse = (text: string): ProcessRecord | null => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  if (typeof value !== 'object' || value === null) return null
  const { pid, startTime, version, launch, socket, group } = value as Record<string, unknown>
  // For kill(2) 0 and negative numbers are process groups; 1 is init.
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 2) return null
  if (typeof startTime !== 'string' || typeof version !== 'string') return null
  if (typeof launch !== 'string') return null
  return { pid, startTime, version, launch, socket: textOrNull(socket), group: textOrNull(group) }
}

/** The record, or null when missing or invalid. */
export const readProcessRecord = async (path: string): Promise<ProcessRecord | null> => {
  const text = await nullIfMissing(readFile(path, 'utf8'))
  return text === null ? null : parse(text)
}

export const writeProcessRecord = (path: string, record: ProcessRecord): Promise<void> =>
  writeFileAtomic(path, `${JSON.stringify(record)}\n`, { mode: 0o600 })

import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from './log.ts'
import { readFileIfThere } from './read-file.ts'

/**
 * Reads a stored JSON file; null when it does not exist or is damaged. A damaged file is renamed
 * and logged, never overwritten.
 */
export const readStored = async <T>(
  folder: string,
  name: string,
  parse: (value: unknown) => T,
  log: Log,
): Promise<T | null> => {
  const path = join(folder, `${name}.json`)
  const text = await readFileIfThere(path)
  if (text === null) return null
  try {
    return parse(JSON.parse(text))
  } catch (error) {
    const time = new Date().toISOString().replaceAll(':', '-')
    const damagedFile = `${name}.damaged-${time}.json`
    await rename(path, join(folder, damagedFile))
    log.error({ damagedFile, reason: String(error) }, `The ${name} was damaged; it is kept aside`)
    return null
  }
}

/**
 * Later than the previous version, also when the clock was set back or two are in one millisecond.
 */
export const nextVersion = (before: string): string =>
  new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString()

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import type { Log } from './log.ts'
import { readFileIfExists } from './read-file.ts'
import { createSerial } from './serial.ts'

/** A JSON file of the site, with its value in memory. */
export type StoredFile<T> = {
  current(): T
  /** Reads the file if another process of the site has replaced it, as during a restart. */
  refresh(): Promise<void>
  /**
   * Replaces the value by the result of `edit`, or returns the problem that `edit` returns.
   * Rejects when it cannot be written; then nothing has changed.
   */
  change<Problem extends string>(edit: (value: T) => T | Problem): Promise<Problem | null>
}

type StoredFileOptions<T> = {
  folder: string
  /** Without `.json`. */
  name: string
  /** The value of a stored JSON. Throws when it is damaged. */
  parse(json: unknown): T | Promise<T>
  toJson(value: T): object
  /** The value when the file does not exist or is damaged. */
  initial: T
  /** Whether the file is written at once if it does not exist, or by the first change. */
  isCreated: boolean
  log: Log
}

/** Each replaced file has another identity; null when it does not exist. */
const identify = async (path: string): Promise<string | null> => {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino}:${mtimeMs}:${size}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Opens a stored file. A damaged one is renamed and logged, never overwritten. Rejects when the
 * folder cannot be read or written.
 */
export const openStoredFile = async <T extends object>({
  folder,
  name,
  parse,
  toJson,
  initial,
  isCreated,
  log,
}: StoredFileOptions<T>): Promise<StoredFile<T>> => {
  const path = join(folder, `${name}.json`)
  const exclusively = createSerial()
  let value = initial
  let identity: string | null = null

  const read = async (): Promise<T | null> => {
    const text = await readFileIfExists(path)
    if (text === null) return null
    try {
      return await parse(JSON.parse(text))
    } catch (error) {
      const time = new Date().toISOString().replaceAll(':', '-')
      const damagedFile = `${name}.damaged-${time}.json`
      await rename(path, join(folder, damagedFile))
      log.error(
        { damagedFile, reason: String(error) },
        `The ${name} was damaged; its file was renamed`,
      )
      return null
    }
  }
  const update = async () => {
    // Before the file is read: a file replaced meanwhile is read again.
    const currentIdentity = await identify(path)
    if (currentIdentity === identity) return
    value = (await read()) ?? value
    identity = currentIdentity
  }
  const write = async (changed: T) => {
    await writeFileAtomic(path, `${JSON.stringify(toJson(changed), null, 2)}\n`)
    value = changed
    identity = await identify(path)
  }

  await update()
  if (isCreated && (await identify(path)) === null) await write(initial)
  return {
    current: () => value,
    refresh: async () => {
      if ((await identify(path)) !== identity) await exclusively(update)
    },
    change: (edit) =>
      exclusively(async () => {
        await update()
        const changed = edit(value)
        if (typeof changed === 'string') return changed
        if (changed !== value) await write(changed)
        return null
      }),
  }
}

/**
 * Later than the previous version, also when the clock was set back or two are in one millisecond.
 */
export const nextVersion = (before: string): string =>
  new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString()

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

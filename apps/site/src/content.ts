import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import type { Log } from './log.ts'
import { readFileIfThere } from './read-file.ts'
import { createSerial } from './serial.ts'

/** The home page. Title and text are null until the first save. */
export type Content = {
  title: string | null
  text: string | null
  createdAt: string
  /** Also identifies the version: each version has its own time. */
  updatedAt: string
}

export type ContentStore = {
  current(): Content
  /**
   * Replaces the home page if `basedOn` is its current version. Returns false, without a change,
   * after a conflicting save. Rejects when the file cannot be written.
   */
  save(written: { title: string; text: string }, basedOn: string): Promise<boolean>
}

const isText = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

const parse = (text: string): Content => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error('The content is not an object')
  const { title, text: body, createdAt, updatedAt } = value as Record<string, unknown>
  if (!isText(title) || !isText(body) || !isTime(createdAt) || !isTime(updatedAt)) {
    throw new Error('The content lacks a field or has one of the wrong type')
  }
  return { title, text: body, createdAt, updatedAt }
}

const write = (path: string, content: Content) =>
  writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`)

/**
 * Later than the previous version, also when the clock was set back or two are in one millisecond.
 */
const nextVersion = (before: string): string =>
  new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString()

const createStore = (path: string, opened: Content): ContentStore => {
  const exclusively = createSerial()
  let content = opened
  return {
    current: () => content,
    save: ({ title, text }, basedOn) =>
      exclusively(async () => {
        // A form that was sent twice.
        if (content.title === title && content.text === text) return true
        if (content.updatedAt !== basedOn) return false
        const changed = { ...content, title, text, updatedAt: nextVersion(content.updatedAt) }
        await write(path, changed)
        content = changed
        return true
      }),
  }
}

/**
 * Opens the site's content and creates it at the first start. A damaged file is renamed and logged,
 * never overwritten. Rejects when the folder cannot be read or written.
 */
export const openContent = async (folder: string, now: Date, log: Log): Promise<ContentStore> => {
  const path = join(folder, 'content.json')

  const text = await readFileIfThere(path)
  if (text !== null) {
    try {
      return createStore(path, parse(text))
    } catch (error) {
      const damagedFile = `content.damaged-${now.toISOString().replaceAll(':', '-')}.json`
      await rename(path, join(folder, damagedFile))
      log.error({ damagedFile, reason: String(error) }, 'The content was damaged; it is kept aside')
    }
  }

  const time = now.toISOString()
  const content: Content = { title: null, text: null, createdAt: time, updatedAt: time }
  await write(path, content)
  return createStore(path, content)
}

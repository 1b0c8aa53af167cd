import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import type { Log } from './log.ts'
import { createSerial } from './serial.ts'
import { isTime, nextVersion, readStored } from './stored-file.ts'

/** The home page. Title and text (Markdown) are null until the first save. */
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

/** Before, the text was plain and the file had no format. */
const format = 2

const isText = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'

const parse = (value: unknown): Content & { isPlain: boolean } => {
  if (typeof value !== 'object' || value === null) throw new Error('The content is not an object')
  const { format: stored, title, text, createdAt, updatedAt } = value as Record<string, unknown>
  if (!isText(title) || !isText(text) || !isTime(createdAt) || !isTime(updatedAt)) {
    throw new Error('The content lacks a field or has one of the wrong type')
  }
  return { title, text, createdAt, updatedAt, isPlain: stored === undefined && text !== null }
}

const write = (path: string, content: Content) =>
  writeFileAtomic(path, `${JSON.stringify({ format, ...content }, null, 2)}\n`)

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

const toMarkdown = async (content: Content): Promise<Content> => {
  // A site that only reports its health needs no parser in memory.
  const { plainTextToMarkdown } = await import('./markdown.ts')
  return { ...content, text: plainTextToMarkdown(content.text ?? '') }
}

/**
 * Opens the site's home page and creates it at the first start. Rejects when the folder cannot be
 * read or written.
 */
export const openContent = async (folder: string, now: Date, log: Log): Promise<ContentStore> => {
  const path = join(folder, 'content.json')
  const stored = await readStored(folder, 'content', parse, log)
  if (stored) {
    const { isPlain, ...content } = stored
    return createStore(path, isPlain ? await toMarkdown(content) : content)
  }
  const time = now.toISOString()
  const content: Content = { title: null, text: null, createdAt: time, updatedAt: time }
  await write(path, content)
  return createStore(path, content)
}

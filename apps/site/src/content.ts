import type { Log } from './log.ts'
import { isTime, nextVersion, openStoredFile } from './stored-file.ts'

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
  /** Reads the home page again if another process of the site has saved it. */
  refresh(): Promise<void>
  /**
   * Replaces the home page if `basedOn` is its current version. Returns false, without a change,
   * after a conflicting save. Rejects when the file cannot be written.
   */
  save(written: { title: string; text: string }, basedOn: string): Promise<boolean>
}

/** A file without a format has plain text. */
const format = 2

const isText = (value: unknown): value is string | null =>
  value === null || typeof value === 'string'

const toMarkdown = async (text: string): Promise<string> => {
  // A site that only reports its health needs no parser in memory.
  const { plainTextToMarkdown } = await import('./markdown.ts')
  return plainTextToMarkdown(text)
}

const parse = async (json: unknown): Promise<Content> => {
  if (typeof json !== 'object' || json === null) throw new Error('The content is not an object')
  const {
    format: storedFormat,
    title,
    text,
    createdAt,
    updatedAt,
  } = json as Record<string, unknown>
  if (!isText(title) || !isText(text) || !isTime(createdAt) || !isTime(updatedAt)) {
    throw new Error('The content lacks a field or has one of the wrong type')
  }
  const isPlain = storedFormat === undefined && text !== null
  return { title, text: isPlain ? await toMarkdown(text) : text, createdAt, updatedAt }
}

/**
 * Opens the site's home page and creates it at the first start. Rejects when the folder cannot be
 * read or written.
 */
export const openContent = async (folder: string, now: Date, log: Log): Promise<ContentStore> => {
  const time = now.toISOString()
  const file = await openStoredFile<Content>({
    folder,
    name: 'content',
    parse,
    toJson: (content) => ({ format, ...content }),
    initial: { title: null, text: null, createdAt: time, updatedAt: time },
    isCreated: true,
    log,
  })
  return {
    current: file.current,
    refresh: file.refresh,
    save: async (written, basedOn) => {
      const problem = await file.change<'changed'>((content) => {
        // A form that was sent twice.
        if (content.title === written.title && content.text === written.text) return content
        if (content.updatedAt !== basedOn) return 'changed'
        return { ...content, ...written, updatedAt: nextVersion(content.updatedAt) }
      })
      return problem === null
    },
  }
}

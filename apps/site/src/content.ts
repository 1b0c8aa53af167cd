import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import type { Log } from './log.ts'

/** The home page. A null title or text is one that nobody has written yet. */
export type Content = {
  title: string | null
  text: string | null
  createdAt: string
  updatedAt: string
}

export type OpenedContent = {
  content: Content
  /** The name under which a file that could not be read was kept aside, if there was one. */
  damagedFile: string | null
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

const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Opens the site's content, making it when the site starts for the first time. A damaged file is
 * never overwritten: it is kept beside the new one and reported. Rejects when the folder cannot be
 * read or written.
 */
export const openContent = async (folder: string, now: Date, log: Log): Promise<OpenedContent> => {
  const path = join(folder, 'content.json')
  let damagedFile: string | null = null

  const text = await readIfThere(path)
  if (text !== null) {
    try {
      return { content: parse(text), damagedFile }
    } catch (error) {
      damagedFile = `content.damaged-${now.toISOString().replaceAll(':', '-')}.json`
      await rename(path, join(folder, damagedFile))
      log.error({ damagedFile, reason: String(error) }, 'The content was damaged; it is kept aside')
    }
  }

  const time = now.toISOString()
  const content: Content = { title: null, text: null, createdAt: time, updatedAt: time }
  await writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`)
  return { content, damagedFile }
}

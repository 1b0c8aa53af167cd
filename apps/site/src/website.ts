import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import { isLook, type Look } from './designs/designs.ts'
import type { Log } from './log.ts'
import { createSerial } from './serial.ts'
import { isSlug } from './slug.ts'
import { isTime, readStored } from './stored-file.ts'

/** A page beside the home page. */
export type StoredPage = {
  id: string
  /** Its address: `/<slug>`. */
  slug: string
  title: string
  /** Markdown. */
  text: string
  inMenu: boolean
  /** Also identifies the version. */
  updatedAt: string
}

/** One of the sizes of a picture. */
export type PictureFile = { width: number; height: number; type: 'webp' | 'jpg'; bytes: number }

export type Picture = {
  /** From the digest of its files. */
  id: string
  /** What it shows; null when it only decorates. */
  alt: string | null
  /** By width, ascending. */
  files: readonly PictureFile[]
  /** Also identifies the version. */
  updatedAt: string
}

/** What the site has beside its home page. */
export type Website = {
  look: Look
  /** The version of the look. */
  lookUpdatedAt: string
  /** In the order of the menu. */
  pages: readonly StoredPage[]
  /** The latest first. */
  pictures: readonly Picture[]
}

export type WebsiteStore = {
  current(): Website
  /**
   * Replaces the website by what `edit` makes of it, or returns the problem that `edit` returns.
   * Rejects when it cannot be written; then nothing has changed.
   */
  change<Problem extends string>(
    edit: (website: Website) => Website | Problem,
  ): Promise<Problem | null>
}

/** With the home page there are ten. */
export const mostPages = 9

const format = 1

export const createId = (): string => randomBytes(6).toString('hex')

const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{12}$/.test(value)

const isPage = (value: unknown): value is StoredPage => {
  const { id, slug, title, text, inMenu, updatedAt } = value as Record<string, unknown>
  return (
    isId(id) &&
    typeof slug === 'string' &&
    isSlug(slug) &&
    typeof title === 'string' &&
    typeof text === 'string' &&
    typeof inMenu === 'boolean' &&
    isTime(updatedAt)
  )
}

const isPictureFile = (value: unknown): value is PictureFile => {
  const { width, height, type, bytes } = value as Record<string, unknown>
  return (
    [width, height, bytes].every((number) => Number.isSafeInteger(number) && Number(number) > 0) &&
    (type === 'webp' || type === 'jpg')
  )
}

const isPicture = (value: unknown): value is Picture => {
  const { id, alt, files, updatedAt } = value as Record<string, unknown>
  return (
    isId(id) &&
    (alt === null || typeof alt === 'string') &&
    Array.isArray(files) &&
    files.length > 0 &&
    files.every(isPictureFile) &&
    isTime(updatedAt)
  )
}

const parse = (value: unknown): Website => {
  const { format: stored, ...website } = value as Website & { format: unknown }
  if (stored !== format) throw new Error(`The website has the format ${stored}`)
  const { look, lookUpdatedAt, pages, pictures } = website
  if (!isLook(look) || !isTime(lookUpdatedAt)) throw new Error('The look is damaged')
  if (!pages.every(isPage) || !pictures.every(isPicture)) {
    throw new Error('A page or a picture lacks a field or has one of the wrong type')
  }
  return { look, lookUpdatedAt, pages, pictures }
}

/** Opens the website. Its file is created by the first change. */
export const openWebsite = async (folder: string, now: Date, log: Log): Promise<WebsiteStore> => {
  const path = join(folder, 'website.json')
  const exclusively = createSerial()
  let website: Website = (await readStored(folder, 'website', parse, log)) ?? {
    look: { design: 'journal', accent: 'blue' },
    lookUpdatedAt: now.toISOString(),
    pages: [],
    pictures: [],
  }
  return {
    current: () => website,
    change: (edit) =>
      exclusively(async () => {
        const changed = edit(website)
        if (typeof changed === 'string') return changed
        if (changed === website) return null
        await writeFileAtomic(path, `${JSON.stringify({ format, ...changed }, null, 2)}\n`)
        website = changed
        return null
      }),
  }
}

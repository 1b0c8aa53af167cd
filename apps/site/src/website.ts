import { randomBytes } from 'node:crypto'
import { isLook, type Look } from './designs/designs.ts'
import type { Log } from './log.ts'
import { isSiteLanguage } from './site-language.ts'
import { isSlug } from './slug.ts'
import { isTime, openStoredFile, type StoredFile } from './stored-file.ts'

/** A page besides the home page. */
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
  /** Derived from the digest of its files. */
  id: string
  /** Its description; null for a decorative picture. */
  alt: string | null
  /** By width, ascending. */
  files: readonly PictureFile[]
  /** Also identifies the version. */
  updatedAt: string
}

/** The parts of the site besides its home page. */
export type Website = {
  /** The language of all pages (BCP 47); null until it is known. */
  language: string | null
  look: Look
  /** The version of the look and the language. */
  lookUpdatedAt: string
  /** In the order of the menu. */
  pages: readonly StoredPage[]
  /** The latest first. */
  pictures: readonly Picture[]
}

export type WebsiteStore = StoredFile<Website>

/** The most pages besides the home page. */
export const maxPages = 9

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
  const { format: storedFormat, ...website } = value as Website & { format: unknown }
  if (storedFormat !== format) throw new Error(`The website has the format ${storedFormat}`)
  const { look, lookUpdatedAt, pages, pictures } = website
  const language = isSiteLanguage(website.language) ? website.language : null
  if (!isLook(look) || !isTime(lookUpdatedAt)) throw new Error('The look is damaged')
  if (!pages.every(isPage) || !pictures.every(isPicture)) {
    throw new Error('A page or a picture lacks a field or has one of the wrong type')
  }
  return { language, look, lookUpdatedAt, pages, pictures }
}

/**
 * Opens the website of a home page created at `createdAt`. Its file is written by the first change.
 * Rejects when the folder cannot be read.
 */
export const openWebsite = (folder: string, createdAt: string, log: Log): Promise<WebsiteStore> =>
  openStoredFile<Website>({
    folder,
    name: 'website',
    parse,
    toJson: (website) => ({ format, ...website }),
    initial: {
      language: null,
      look: { design: 'journal', accent: 'blue' },
      lookUpdatedAt: createdAt,
      pages: [],
      pictures: [],
    },
    isCreated: false,
    log,
  })

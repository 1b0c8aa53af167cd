import type { Language } from './language.ts'
import type { PageInput } from './page-form.ts'
import { phrases } from './phrases.ts'
import { shownContent } from './public-page.ts'
import { nextVersion } from './stored-file.ts'
import type { Site } from './visit.ts'
import { maxPages, type StoredPage } from './website.ts'

/** The id of the home page in forms. */
export const homeId = ''

/** The version of a page that is not stored yet. */
export const newVersion = 'new'

/** A page as the editor shows it. */
export type EditablePage = { id: string; input: PageInput; basedOn: string }

const toInput = ({ title, text, slug, inMenu }: StoredPage): PageInput => ({
  title,
  text,
  slug,
  inMenu,
})

/** The stored page with this id; null when there is none. */
export const editablePage = (site: Site, language: Language, id: string): EditablePage | null => {
  if (id === homeId) {
    const content = site.content.current()
    const input = { ...shownContent(language, content), slug: 'home', inMenu: false }
    return { id, input, basedOn: content.updatedAt }
  }
  const page = site.website.current().pages.find((stored) => stored.id === id)
  return page ? { id, input: toInput(page), basedOn: page.updatedAt } : null
}

export type SaveProblem = 'changed' | 'gone' | 'slug_taken' | 'too_many'

const saveHome = async (site: Site, { title, text }: PageInput, basedOn: string) =>
  (await site.content.save({ title, text }, basedOn)) ? null : 'changed'

/**
 * Saves a page if `basedOn` is its current version, and adds it if that is `newVersion`. Returns
 * the problem, without a change. Rejects when it cannot be written.
 */
export const savePage = async (
  site: Site,
  id: string,
  input: PageInput,
  basedOn: string,
): Promise<SaveProblem | null> => {
  if (id === homeId) return saveHome(site, input, basedOn)
  return site.website.change<SaveProblem>((website) => {
    const { pages } = website
    const stored = pages.find((page) => page.id === id)
    if (pages.some((page) => page.slug === input.slug && page !== stored)) return 'slug_taken'
    if (!stored) {
      if (basedOn !== newVersion) return 'gone'
      if (pages.length >= maxPages) return 'too_many'
      const page = { id, ...input, updatedAt: new Date().toISOString() }
      return { ...website, pages: [...pages, page] }
    }
    // A form that was sent twice.
    const unchanged = Object.entries(input).every(
      ([name, value]) => stored[name as keyof PageInput] === value,
    )
    if (unchanged) return website
    if (stored.updatedAt !== basedOn) return 'changed'
    const page = { ...stored, ...input, updatedAt: nextVersion(stored.updatedAt) }
    return { ...website, pages: pages.map((other) => (other === stored ? page : other)) }
  })
}

/** The name of a page in the lists of the editor. */
export const pageName = (language: Language, { id, title }: { id: string; title: string }) =>
  id === homeId ? phrases[language].homePage : title

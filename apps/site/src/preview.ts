import { currentSession } from './current-session.ts'
import { designIds, type Look, lookStyle } from './designs/designs.ts'
import { accentIds } from './designs/palette.ts'
import { editablePage } from './editable-page.ts'
import { isFormToken, readOwnForm, showMessage } from './editor-access.ts'
import { maxCharacters, readPageInput } from './page-form.ts'
import { sharedFields } from './public.ts'
import { previewPage, type WrittenPage } from './public-page.ts'
import { publicPolicy, sendPrivatePage } from './respond.ts'
import { type Visit, visitedUrl } from './visit.ts'
import type { Website } from './website.ts'

const send = (visit: Visit, website: Website, path: string, written: WrittenPage) => {
  const page = previewPage({ ...sharedFields(visit), website }, path, written)
  sendPrivatePage(visit, 200, page, {
    'content-security-policy': publicPolicy(lookStyle(website.look).hash, "'self'"),
  })
}

/** The look that the fields name, or the stored one. */
const lookOf = (fields: URLSearchParams, stored: Look): Look => ({
  design: designIds.find((id) => id === fields.get('design')) ?? stored.design,
  accent: accentIds.find((id) => id === fields.get('accent')) ?? stored.accent,
})

const showStored = (visit: Visit, fields: URLSearchParams) => {
  const { site, language } = visit
  const page = editablePage(site, language, fields.get('page') ?? '')
  const website = site.website.current()
  const path = page?.id ? `/${page.input.slug}` : '/'
  const written = page?.input ?? { title: '', text: '' }
  send(visit, { ...website, look: lookOf(fields, website.look) }, path, written)
}

/** A stored page in a frame of the editor, in any design. */
export const showPreview = async (visit: Visit): Promise<void> => {
  if (!(await currentSession(visit))) return showMessage(visit, 403, 'foreignForm')
  showStored(visit, visitedUrl(visit)?.searchParams ?? new URLSearchParams())
}

/** A preview of the text or the design in the form of the editor. Nothing is stored. */
export const previewUnsaved = async (visit: Visit): Promise<void> => {
  const { site } = visit
  const form = await readOwnForm(visit)
  if (!form) return
  const session = await currentSession(visit)
  if (!session || !isFormToken(session, form.get('form_token'))) {
    return showMessage(visit, 403, 'foreignForm')
  }
  if (form.has('design')) return showStored(visit, form)
  const { title, text, slug } = readPageInput(form)
  // A longer text is not saved either.
  const written = { title, text: text.slice(0, maxCharacters.text * 2) }
  send(visit, site.website.current(), form.get('page') ? `/${slug}` : '/', written)
}

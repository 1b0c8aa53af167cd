import { editorPath } from './cookies.ts'
import { type DesignState, designPage } from './design-page.ts'
import { designIds, type Look } from './designs/designs.ts'
import { accentIds } from './designs/palette.ts'
import {
  openAction,
  openEditor,
  sendEditorPage,
  showMessage,
  writeFailure,
} from './editor-access.ts'
import { redirect } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { isSiteLanguage } from './site-language.ts'
import { nextVersion } from './stored-file.ts'
import { type Visit, visitedUrl } from './visit.ts'

const show = (visit: Visit, status: number, session: OpenSession, state: DesignState) => {
  const { site, language } = visit
  sendEditorPage(visit, status, designPage(language, site.settings().name, session, state))
}

/** Shows the designs and colors. */
export const showDesign = async (visit: Visit): Promise<void> => {
  const session = await openEditor(visit)
  if (!session) return
  const { look, lookUpdatedAt, language } = visit.site.website.current()
  const writtenIn = language ?? visit.language
  const notice = visitedUrl(visit)?.searchParams.has('saved') ? 'saved' : undefined
  show(visit, 200, session, { look, writtenIn, basedOn: lookUpdatedAt, notice })
}

const readLook = (form: URLSearchParams): Look | null => {
  const design = designIds.find((id) => id === form.get('design'))
  const accent = accentIds.find((id) => id === form.get('accent'))
  return design && accent ? { design, accent } : null
}

export const saveDesign = async (visit: Visit): Promise<void> => {
  const action = await openAction(visit)
  if (!action) return
  const { session, form } = action
  const look = readLook(form)
  if (!look) return showMessage(visit, 400, 'malformed')
  const basedOn = form.get('based_on') ?? ''
  const { website } = visit.site
  const sentLanguage = form.get('language')
  const writtenIn = isSiteLanguage(sentLanguage)
    ? sentLanguage
    : (website.current().language ?? visit.language)
  let problem: 'changed' | null
  try {
    problem = await website.change((current) => {
      const { design, accent } = current.look
      const isSameLook = design === look.design && accent === look.accent
      // A form that was sent twice.
      if (isSameLook && current.language === writtenIn) return current
      if (current.lookUpdatedAt !== basedOn) return 'changed'
      const lookUpdatedAt = nextVersion(current.lookUpdatedAt)
      return { ...current, language: writtenIn, look, lookUpdatedAt }
    })
  } catch (error) {
    const notice = writeFailure(visit, error, 'The design could not be saved')
    return show(visit, 500, session, { look, writtenIn, basedOn, notice })
  }
  if (problem === null) return redirect(visit, `${editorPath}/design?saved`)
  const { lookUpdatedAt } = website.current()
  show(visit, 409, session, { look, writtenIn, basedOn: lookUpdatedAt, notice: 'lookChanged' })
}

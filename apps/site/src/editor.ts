import { type AccessState, checkAccess } from './access.ts'
import { clearCookie, editorPath } from './cookies.ts'
import { currentSession, sessionCookie } from './current-session.ts'
import { editablePage, newVersion, savePage } from './editable-page.ts'
import {
  isFormToken,
  openEditor,
  readOwnForm,
  renewSignIn,
  sendEditorPage,
  showMessage,
  writeFailure,
} from './editor-access.ts'
import { sectionPaths } from './editor-layout.ts'
import { type EditorState, editorPage, sessionEndedPage } from './editor-page.ts'
import { readPageInput, validatePageInput } from './page-form.ts'
import { redirect, sendPrivatePage } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { reportFailure } from './sign-in.ts'
import { isSecure, type Visit, visitedUrl } from './visit.ts'
import { createId, maxPages } from './website.ts'

const showForm = (visit: Visit, status: number, session: OpenSession, state: EditorState) => {
  const { site, language } = visit
  const website = site.website.current()
  sendEditorPage(visit, status, editorPage(language, site.settings(), session, website, state))
}

const emptyPage = { title: '', text: '', slug: '', inMenu: true }

/** Shows the editor of a page, or the sign-in page to a visitor without access. */
export const showEditor = async (visit: Visit): Promise<void> => {
  const { site, language } = visit
  const session = await openEditor(visit)
  if (!session) return
  const draft = site.drafts.find(session.subject)
  if (draft) return showForm(visit, 200, session, { ...draft, notice: 'notSavedYet' })

  const query = visitedUrl(visit)?.searchParams
  const pageId = query?.get('page') ?? ''
  if (pageId === 'new') {
    if (site.website.current().pages.length >= maxPages) return redirect(visit, sectionPaths.pages)
    const state = { pageId: createId(), input: emptyPage, basedOn: newVersion }
    return showForm(visit, 200, session, state)
  }
  const page = editablePage(site, language, pageId)
  if (!page) return showMessage(visit, 404, 'notFound')
  showForm(visit, 200, session, {
    pageId,
    input: page.input,
    basedOn: page.basedOn,
    notice: query?.has('saved') ? 'saved' : undefined,
  })
}

/** The pages take the language of the first editor who saves, until another is chosen. */
const assumeLanguage = async ({ site, language }: Visit): Promise<void> => {
  if (site.website.current().language !== null) return
  try {
    await site.website.change((website) =>
      website.language === null ? { ...website, language } : website,
    )
  } catch (error) {
    // The page itself is saved.
    site.log.warn({ reason: String(error) }, 'The language could not be saved')
  }
}

/** Saves a page. Every error page contains the submitted text, so none is lost. */
export const saveContent = async (visit: Visit): Promise<void> => {
  const { site, language } = visit
  const form = await readOwnForm(visit)
  if (!form) return
  const pageId = form.get('page') ?? ''
  const input = pageId === '' ? { ...readPageInput(form), slug: 'home' } : readPageInput(form)
  const session = await currentSession(visit)
  if (!session) {
    return sendPrivatePage(visit, 403, sessionEndedPage(language, site.settings().name, input))
  }

  const basedOn = form.get('based_on') ?? ''
  const show = (status: number, more: Partial<EditorState>) =>
    showForm(visit, status, session, { pageId, input, basedOn, ...more })
  if (!isFormToken(session, form.get('form_token'))) return show(403, { notice: 'formOutdated' })
  if (!/^(?:[0-9a-f]{12})?$/.test(pageId)) return showMessage(visit, 404, 'notFound')
  const otherPages = site.website.current().pages.filter(({ id }) => id !== pageId)
  const takenSlugs = otherPages.map(({ slug }) => slug)
  const errors = validatePageInput(language, input, takenSlugs)
  if (Object.keys(errors).length > 0) return show(422, { errors })

  let access: AccessState
  try {
    access = await checkAccess(visit, session)
  } catch (error) {
    reportFailure(visit, error, 'The console is unavailable')
    return show(503, { notice: 'notChecked' })
  }
  if (access === 'ended') {
    return sendPrivatePage(visit, 403, sessionEndedPage(language, site.settings().name, input))
  }
  if (access === 'expired') {
    site.drafts.save(session.subject, { pageId, input, basedOn })
    return renewSignIn(visit)
  }

  let problem: Awaited<ReturnType<typeof savePage>>
  try {
    problem = await savePage(site, pageId, input, basedOn)
  } catch (error) {
    return show(500, { notice: writeFailure(visit, error, 'A page could not be saved') })
  }
  site.drafts.discard(session.subject)
  if (problem === null) {
    await assumeLanguage(visit)
    return redirect(visit, `${editorPath}?${pageId === '' ? '' : `page=${pageId}&`}saved`)
  }
  // Another editor took the address after the check above.
  if (problem === 'slug_taken') {
    const otherPages = site.website.current().pages.filter(({ id }) => id !== pageId)
    const { slug } = validatePageInput(
      language,
      input,
      otherPages.map((page) => page.slug),
    )
    return show(422, { errors: { slug } })
  }
  if (problem === 'too_many') return show(422, { notice: 'tooManyPages' })
  if (problem === 'gone') return show(409, { basedOn: newVersion, notice: 'pageGone' })
  const current = editablePage(site, language, pageId)
  show(409, {
    basedOn: current?.basedOn ?? newVersion,
    notice: 'changedMeanwhile',
    saved: current?.input,
  })
}

/** Ends the session on this site; the console's session continues. */
export const signOut = async (visit: Visit): Promise<void> => {
  const form = await readOwnForm(visit)
  if (!form) return
  const session = await currentSession(visit)
  if (session && !isFormToken(session, form.get('form_token'))) {
    return showMessage(visit, 403, 'foreignForm')
  }
  if (session) {
    await visit.site.sessions.end(session.id)
    visit.site.drafts.discard(session.subject)
  }
  redirect(visit, `${editorPath}?signed-out`, [clearCookie(sessionCookie, isSecure(visit))])
}

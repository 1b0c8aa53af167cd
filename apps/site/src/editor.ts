import { timingSafeEqual } from 'node:crypto'
import { appPath, clearCookie } from './cookies.ts'
import { currentSession, sessionCookie } from './current-session.ts'
import { type EditorState, editorPage, sessionEndedPage } from './editor-page.ts'
import { isFromOrigin, readForm } from './form.ts'
import { messagePage } from './page.ts'
import { checkWritten, readWritten } from './page-form.ts'
import { type Phrases, phrases } from './phrases.ts'
import { redirect, sendPrivatePage } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { signInPage } from './sign-in-page.ts'
import { type Visit, visitedUrl } from './visit.ts'

const showMessage = (
  visit: Visit,
  status: number,
  message: 'malformed' | 'foreignForm' | 'unsupportedForm' | 'tooLarge',
) => {
  const phrase: Phrases = phrases[visit.language]
  const wayOn = { href: appPath, label: phrase.editTitle }
  const { name } = visit.site.settings()
  sendPrivatePage(visit, status, messagePage(visit.language, name, phrase[message], wayOn))
}

const showForm = (visit: Visit, status: number, session: OpenSession, state: EditorState) => {
  const { name } = visit.site.settings()
  sendPrivatePage(visit, status, editorPage(visit.language, name, session, state))
}

/** Shows the editor, or to whoever is not signed in the way to sign in. */
export const showEditor = async (visit: Visit): Promise<void> => {
  const { site, language } = visit
  const query = visitedUrl(visit)?.searchParams
  const session = await currentSession(visit)
  if (!session) {
    const signedOut = query?.has('signed-out') ?? false
    return sendPrivatePage(visit, 200, signInPage(language, site.settings().name, signedOut))
  }
  const { title, text, updatedAt } = site.content.current()
  showForm(visit, 200, session, {
    written: { title: title ?? '', text: text ?? '' },
    basedOn: updatedAt,
    notice: query?.has('saved') ? 'saved' : undefined,
  })
}

/** The fields of a form that one of this site's own pages sent; null when the answer is given already. */
const readOwnForm = async (visit: Visit): Promise<URLSearchParams | null> => {
  const url = visitedUrl(visit)
  if (!url || !isFromOrigin(visit.request, url.origin)) {
    showMessage(visit, url ? 403 : 400, url ? 'foreignForm' : 'malformed')
    return null
  }
  const form = await readForm(visit.request)
  if (form === 'unsupported') showMessage(visit, 415, 'unsupportedForm')
  else if (form === 'too_large') showMessage(visit, 413, 'tooLarge')
  else return form
  return null
}

const isFormOf = ({ formToken }: OpenSession, form: URLSearchParams): boolean => {
  const given = Buffer.from(form.get('form_token') ?? '')
  const expected = Buffer.from(formToken)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Saves the home page. Whatever stands in the way, the visitor gets back what they wrote. */
export const saveContent = async (visit: Visit): Promise<void> => {
  const { site, language } = visit
  const form = await readOwnForm(visit)
  if (!form) return
  const written = readWritten(form)
  const session = await currentSession(visit)
  if (!session) {
    return sendPrivatePage(visit, 403, sessionEndedPage(language, site.settings().name, written))
  }

  const basedOn = form.get('based_on') ?? ''
  if (!isFormOf(session, form)) {
    return showForm(visit, 403, session, { written, basedOn, notice: 'formOutdated' })
  }
  const errors = checkWritten(language, written)
  if (Object.keys(errors).length > 0) {
    return showForm(visit, 422, session, { written, basedOn, errors })
  }
  let isSaved: boolean
  try {
    isSaved = await site.content.save(written, basedOn)
  } catch (error) {
    site.log.error({ reason: String(error) }, 'The home page could not be saved')
    return showForm(visit, 500, session, { written, basedOn, notice: 'notSaved' })
  }
  if (isSaved) return redirect(visit, `${appPath}?saved`)
  const saved = site.content.current()
  showForm(visit, 409, session, {
    written,
    basedOn: saved.updatedAt,
    notice: 'changedMeanwhile',
    saved,
  })
}

/** Ends the visitor's session on this site; the console's own goes on. */
export const signOut = async (visit: Visit): Promise<void> => {
  const form = await readOwnForm(visit)
  if (!form) return
  const session = await currentSession(visit)
  if (session && !isFormOf(session, form)) return showMessage(visit, 403, 'foreignForm')
  if (session) await visit.site.sessions.end(session.id)
  const secure = visitedUrl(visit)?.protocol === 'https:'
  redirect(visit, `${appPath}?signed-out`, [clearCookie(sessionCookie, secure)])
}

import { timingSafeEqual } from 'node:crypto'
import { type AccessState, checkAccess } from './access.ts'
import { appPath, clearCookie } from './cookies.ts'
import { currentSession, sessionCookie } from './current-session.ts'
import { type EditorState, editorPage, sessionEndedPage } from './editor-page.ts'
import { isFromOrigin, readForm } from './form.ts'
import { messagePage, shownContent } from './page.ts'
import { readPageInput, validatePageInput } from './page-form.ts'
import { type Phrases, phrases } from './phrases.ts'
import { redirect, sendPrivatePage } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { reportFailure, showFailure } from './sign-in.ts'
import { renewalPage, signInPage, signInPath } from './sign-in-page.ts'
import { isSecure, type Visit, visitedUrl } from './visit.ts'

const showMessage = (
  visit: Visit,
  status: number,
  message: 'malformed' | 'foreignForm' | 'unsupportedForm' | 'tooLarge',
) => {
  const phrase: Phrases = phrases[visit.language]
  const nextLink = { href: appPath, label: phrase.editTitle }
  const { name } = visit.site.settings()
  sendPrivatePage(visit, status, messagePage(visit.language, name, phrase[message], nextLink))
}

const showForm = (visit: Visit, status: number, session: OpenSession, state: EditorState) => {
  const settings = visit.site.settings()
  sendPrivatePage(visit, status, editorPage(visit.language, settings, session, state))
}

const showSignIn = (visit: Visit, notice?: 'signedOut' | 'accessEnded') => {
  const { name } = visit.site.settings()
  sendPrivatePage(visit, 200, signInPage(visit.language, name, notice))
}

/**
 * Sends the user to the console, which redirects back at once if its session has not ended. A page,
 * not a redirect: the content security policy also applies to the redirects of a submitted form.
 */
const renewSignIn = (visit: Visit) => {
  const { name } = visit.site.settings()
  const refreshHeader = { refresh: `0; url=${signInPath}` }
  sendPrivatePage(visit, 200, renewalPage(visit.language, name), refreshHeader)
}

/** Shows the editor, or the sign-in page to a visitor without access. */
export const showEditor = async (visit: Visit): Promise<void> => {
  const { site } = visit
  const query = visitedUrl(visit)?.searchParams
  const session = await currentSession(visit)
  if (!session) return showSignIn(visit, query?.has('signed-out') ? 'signedOut' : undefined)
  let access: AccessState
  try {
    access = await checkAccess(visit, session)
  } catch (error) {
    return showFailure(visit, reportFailure(visit, error, 'The console is unavailable'))
  }
  if (access === 'expired') return renewSignIn(visit)
  if (access === 'ended') return showSignIn(visit, 'accessEnded')

  const draft = site.drafts.of(session.subject)
  if (draft) return showForm(visit, 200, session, { ...draft, notice: 'notSavedYet' })
  const content = site.content.current()
  showForm(visit, 200, session, {
    written: shownContent(visit.language, content),
    basedOn: content.updatedAt,
    notice: query?.has('saved') ? 'saved' : undefined,
  })
}

/** The fields of a form of this site; null when an error was already sent. */
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

/** True when the form contains the session's token, against cross-site request forgery. */
const hasFormToken = ({ formToken }: OpenSession, form: URLSearchParams): boolean => {
  const token = Buffer.from(form.get('form_token') ?? '')
  const expected = Buffer.from(formToken)
  return token.length === expected.length && timingSafeEqual(token, expected)
}

/** Saves the home page. Every error page contains the submitted text, so none is lost. */
export const saveContent = async (visit: Visit): Promise<void> => {
  const { site, language } = visit
  const form = await readOwnForm(visit)
  if (!form) return
  const written = readPageInput(form)
  const session = await currentSession(visit)
  if (!session) {
    return sendPrivatePage(visit, 403, sessionEndedPage(language, site.settings().name, written))
  }

  const basedOn = form.get('based_on') ?? ''
  if (!hasFormToken(session, form)) {
    return showForm(visit, 403, session, { written, basedOn, notice: 'formOutdated' })
  }
  const errors = validatePageInput(language, written)
  if (Object.keys(errors).length > 0) {
    return showForm(visit, 422, session, { written, basedOn, errors })
  }
  let access: AccessState
  try {
    access = await checkAccess(visit, session)
  } catch (error) {
    reportFailure(visit, error, 'The console is unavailable')
    return showForm(visit, 503, session, { written, basedOn, notice: 'notChecked' })
  }
  if (access === 'ended') {
    return sendPrivatePage(visit, 403, sessionEndedPage(language, site.settings().name, written))
  }
  if (access === 'expired') {
    site.drafts.save(session.subject, { written, basedOn })
    return renewSignIn(visit)
  }

  let isSaved: boolean
  try {
    isSaved = await site.content.save(written, basedOn)
  } catch (error) {
    site.log.error({ reason: String(error) }, 'The home page could not be saved')
    return showForm(visit, 500, session, { written, basedOn, notice: 'notSaved' })
  }
  site.drafts.discard(session.subject)
  if (isSaved) return redirect(visit, `${appPath}?saved`)
  const current = site.content.current()
  showForm(visit, 409, session, {
    written,
    basedOn: current.updatedAt,
    notice: 'changedMeanwhile',
    saved: current,
  })
}

/** Ends the session on this site; the console's session continues. */
export const signOut = async (visit: Visit): Promise<void> => {
  const form = await readOwnForm(visit)
  if (!form) return
  const session = await currentSession(visit)
  if (session && !hasFormToken(session, form)) return showMessage(visit, 403, 'foreignForm')
  if (session) {
    await visit.site.sessions.end(session.id)
    visit.site.drafts.discard(session.subject)
  }
  redirect(visit, `${appPath}?signed-out`, [clearCookie(sessionCookie, isSecure(visit))])
}

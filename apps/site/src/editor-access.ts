import { timingSafeEqual } from 'node:crypto'
import { type AccessState, checkAccess } from './access.ts'
import { editorPath } from './cookies.ts'
import { currentSession } from './current-session.ts'
import { editorPolicy } from './editor-layout.ts'
import { isFromOrigin, readForm } from './form.ts'
import { messagePage } from './page.ts'
import { phrases } from './phrases.ts'
import { sendPrivatePage } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { reportFailure, showFailure } from './sign-in.ts'
import { renewalPage, signInAddress, signInPage } from './sign-in-page.ts'
import { type Visit, visitedUrl } from './visit.ts'

export const showMessage = (
  visit: Visit,
  status: number,
  message: 'malformed' | 'foreignForm' | 'unsupportedForm' | 'tooLarge' | 'notFound',
): void => {
  const phrase = phrases[visit.language]
  const nextLink = { href: editorPath, label: phrase.editTitle }
  const { name } = visit.site.settings()
  sendPrivatePage(visit, status, messagePage(visit.language, name, phrase[message], nextLink))
}

/** A page of the editor: its own script, which talks to this site, and a frame with the preview. */
export const sendEditorPage = (visit: Visit, status: number, body: string): void =>
  sendPrivatePage(visit, status, body, { 'content-security-policy': editorPolicy })

/** The address of a sign-in that returns to the requested page. */
const returningSignIn = (visit: Visit) => signInAddress(visit.request.url ?? editorPath)

const showSignIn = (visit: Visit, notice?: 'signedOut' | 'accessEnded') => {
  const { name } = visit.site.settings()
  const address = notice === 'signedOut' ? signInAddress(editorPath) : returningSignIn(visit)
  sendPrivatePage(visit, 200, signInPage(visit.language, name, address, notice))
}

/**
 * Sends the user to the console, which redirects back at once if its session has not ended. A page,
 * not a redirect: the content security policy also applies to the redirects of a submitted form.
 */
export const renewSignIn = (visit: Visit): void => {
  const { name } = visit.site.settings()
  const address = returningSignIn(visit)
  const refreshHeader = { refresh: `0; url=${address}` }
  sendPrivatePage(visit, 200, renewalPage(visit.language, name, address), refreshHeader)
}

/**
 * The session of a user who may edit, for a page of the editor. Null when another page was sent:
 * the sign-in, its renewal, or the reason why there is no session.
 */
export const openEditor = async (visit: Visit): Promise<OpenSession | null> => {
  const query = visitedUrl(visit)?.searchParams
  const session = await currentSession(visit)
  if (!session) {
    showSignIn(visit, query?.has('signed-out') ? 'signedOut' : undefined)
    return null
  }
  return confirmAccess(visit, session)
}

/**
 * The session of a user whom the console lets edit; null when another page was sent. For a GET,
 * `expired` renews the sign-in. A submitted form would be lost by that, so its user reads why.
 */
const confirmAccess = async (visit: Visit, session: OpenSession): Promise<OpenSession | null> => {
  let access: AccessState
  try {
    access = await checkAccess(visit, session)
  } catch (error) {
    showFailure(visit, reportFailure(visit, error, 'The console is unavailable'))
    return null
  }
  if (access === 'granted') return session
  if (access === 'expired' && visit.request.method !== 'POST') renewSignIn(visit)
  else showSignIn(visit, 'accessEnded')
  return null
}

/** The fields of a form of this site; null when an error was already sent. */
export const readOwnForm = async (visit: Visit): Promise<URLSearchParams | null> => {
  const url = visitedUrl(visit)
  if (!url || !isFromOrigin(visit.request, url.origin)) {
    if (url) showMessage(visit, 403, 'foreignForm')
    else showMessage(visit, 400, 'malformed')
    return null
  }
  const form = await readForm(visit.request)
  if (form === 'unsupported') showMessage(visit, 415, 'unsupportedForm')
  else if (form === 'too_large') showMessage(visit, 413, 'tooLarge')
  else return form
  return null
}

/** True when this is the session's token, against cross-site request forgery. */
export const isFormToken = ({ formToken }: OpenSession, sent: string | null): boolean => {
  const token = Buffer.from(sent ?? '')
  const expected = Buffer.from(formToken)
  return token.length === expected.length && timingSafeEqual(token, expected)
}

/** The session and fields of a form that changes something; null when a page was already sent. */
export const openAction = async (
  visit: Visit,
): Promise<{ session: OpenSession; form: URLSearchParams } | null> => {
  const form = await readOwnForm(visit)
  if (!form) return null
  const session = await currentSession(visit)
  if (!session) {
    showSignIn(visit, 'accessEnded')
    return null
  }
  if (!isFormToken(session, form.get('form_token'))) {
    showMessage(visit, 403, 'foreignForm')
    return null
  }
  return (await confirmAccess(visit, session)) && { session, form }
}

/** Logs why a write failed, and returns the notice for the user. */
export const writeFailure = (
  visit: Visit,
  error: unknown,
  message: string,
): 'diskFull' | 'notSaved' => {
  visit.site.log.error({ reason: String(error) }, message)
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'diskFull' : 'notSaved'
}

import { editorPath, setCookie } from './cookies.ts'
import { currentSession, sessionCookie } from './current-session.ts'
import type { SignedIn } from './login-provider.ts'
import { messagePage } from './page.ts'
import { phrases } from './phrases.ts'
import { redirect, sendPrivatePage } from './respond.ts'
import { sessionSeconds } from './sessions.ts'
import {
  classifyFailure,
  describeFailure,
  failureStatus,
  type SignInFailure,
} from './sign-in-failure.ts'
import { signInFailurePage, signInPath } from './sign-in-page.ts'
import { deleteTransaction, findTransaction, isState, storeTransaction } from './transactions.ts'
import { type Visit, visitedUrl } from './visit.ts'

// The cookies of all transactions must fit into the headers of a request.
const maxReturnLength = 200

/** The redirect URI's path. */
export const callbackPath = `${signInPath}/callback`

/** Shows the reason of a failed sign-in, with a link to retry. */
export const showFailure = (visit: Visit, failure: SignInFailure, cookies: string[] = []) => {
  const { name } = visit.site.settings()
  sendPrivatePage(visit, failureStatus[failure], signInFailurePage(visit.language, name, failure), {
    // The URL may contain an authorization code.
    'referrer-policy': 'no-referrer',
    'set-cookie': cookies,
  })
}

/** Logs an error of the provider, without what was sent or received, and returns its reason. */
export const reportFailure = (visit: Visit, error: unknown, message: string): SignInFailure => {
  const failure = classifyFailure(error)
  visit.site.log.warn({ failure, ...describeFailure(error) }, message)
  return failure
}

const showMalformed = (visit: Visit) =>
  sendPrivatePage(
    visit,
    400,
    messagePage(visit.language, visit.site.settings().name, phrases[visit.language].malformed),
  )

/** Runs a task that needs the site's files. On failure sends an error page and returns null. */
const withFiles = async <T>(
  visit: Visit,
  work: () => Promise<T>,
  cookies: string[] = [],
): Promise<{ value: T } | null> => {
  try {
    return { value: await work() }
  } catch (error) {
    visit.site.log.error({ reason: String(error) }, 'A sign-in could not be stored')
    showFailure(visit, 'session_not_stored', cookies)
    return null
  }
}

/** The page of the editor that `next` names; undefined for any other address. */
const readReturnPath = ({ origin, searchParams }: URL): string | undefined => {
  const next = URL.parse(searchParams.get('next') ?? '', origin)
  if (next?.origin !== origin) return undefined
  const { pathname, search } = next
  const path = pathname + search
  const isEditor = pathname === editorPath || pathname.startsWith(`${editorPath}/`)
  const isSignIn = pathname.startsWith(signInPath)
  return isEditor && !isSignIn && path.length <= maxReturnLength ? path : undefined
}

/** Redirects to the provider. Has no other effect, so a link preview may request it. */
export const beginSignIn = async (visit: Visit): Promise<void> => {
  const { site, request } = visit
  const url = visitedUrl(visit)
  if (!url) return showMalformed(visit)
  const { signIn } = site.settings()
  if (!signIn) return showFailure(visit, 'not_set_up')
  const key = await withFiles(visit, site.key)
  if (!key) return
  try {
    const { url: to, transaction } = await site.provider.begin(signIn, url.origin + callbackPath)
    const secure = url.protocol === 'https:'
    const stored = { ...transaction, returnPath: readReturnPath(url) }
    const { cookie } = request.headers
    redirect(visit, to.href, storeTransaction(key.value, stored, cookie, secure))
  } catch (error) {
    showFailure(visit, reportFailure(visit, error, 'A sign-in could not begin'))
  }
}

/**
 * Completes a sign-in. Without the transaction cookie nothing is sent to the provider, so a link
 * preview does not use the code.
 */
export const finishSignIn = async (visit: Visit): Promise<void> => {
  const { site, request } = visit
  const url = visitedUrl(visit)
  if (!url) return showMalformed(visit)
  const secure = url.protocol === 'https:'
  const { signIn } = site.settings()
  if (!signIn) return showFailure(visit, 'not_set_up')

  const state = url.searchParams.get('state') ?? ''
  if (!isState(state)) return showFailure(visit, 'not_recognized')
  const key = await withFiles(visit, site.key)
  if (!key) return
  const transaction = findTransaction(key.value, state, request.headers.cookie, secure)
  if (!transaction) return showFailure(visit, 'not_recognized')

  const removal = deleteTransaction(state, secure)
  let signedIn: SignedIn
  try {
    signedIn = await site.provider.redeem(signIn, url, transaction)
  } catch (error) {
    return showFailure(visit, reportFailure(visit, error, 'A sign-in failed'), [removal])
  }
  const { user, access } = signedIn
  const session = await withFiles(visit, async () => {
    const before = await currentSession(visit)
    const cookie = await site.sessions.begin(user, access)
    if (before) await site.sessions.end(before.id)
    return cookie
  }, [removal])
  if (!session) return
  site.log.info({ subject: user.subject }, 'A user signed in')
  const sessionHeader = setCookie(sessionCookie, session.value, sessionSeconds, secure)
  redirect(visit, transaction.returnPath ?? editorPath, [removal, sessionHeader])
}

import { appPath, setCookie } from './cookies.ts'
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
import { findTransaction, forgetTransaction, isState, rememberTransaction } from './transactions.ts'
import { type Visit, visitedUrl } from './visit.ts'

/** Where the provider sends the visitor back to. */
export const callbackPath = `${signInPath}/callback`

/** Says why nobody was signed in, and how to try again. */
export const showFailure = (visit: Visit, failure: SignInFailure, cookies: string[] = []) => {
  const { name } = visit.site.settings()
  sendPrivatePage(visit, failureStatus[failure], signInFailurePage(visit.language, name, failure), {
    // The address may hold an authorization code.
    'referrer-policy': 'no-referrer',
    'set-cookie': cookies,
  })
}

/** Writes down what went wrong at the provider, without what was sent or received; gives what it means. */
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

/** What needs the site's own files; null, and the visitor is told, when they cannot be read or written. */
const withFiles = async <T>(
  visit: Visit,
  work: () => Promise<T>,
  cookies: string[] = [],
): Promise<{ value: T } | null> => {
  try {
    return { value: await work() }
  } catch (error) {
    visit.site.log.error({ reason: String(error) }, 'A sign-in could not be kept')
    showFailure(visit, 'not_kept', cookies)
    return null
  }
}

/** Sends the visitor to the provider. Asks and changes nothing else, so a link preview may do it too. */
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
    const { cookie } = request.headers
    redirect(visit, to.href, rememberTransaction(key.value, transaction, cookie, secure))
  } catch (error) {
    showFailure(visit, reportFailure(visit, error, 'A sign-in could not begin'))
  }
}

/**
 * Signs the visitor in who comes back from the provider. Without the cookie of a sign-in that began
 * in the same browser nothing is asked of the provider: a preview of the link does not spend its code.
 */
export const finishSignIn = async (visit: Visit): Promise<void> => {
  const { site, request } = visit
  const url = visitedUrl(visit)
  if (!url) return showMalformed(visit)
  const secure = url.protocol === 'https:'
  const { signIn } = site.settings()
  if (!signIn) return showFailure(visit, 'not_set_up')

  const state = url.searchParams.get('state') ?? ''
  if (!isState(state)) return showFailure(visit, 'not_recognised')
  const key = await withFiles(visit, site.key)
  if (!key) return
  const transaction = findTransaction(key.value, state, request.headers.cookie, secure)
  if (!transaction) return showFailure(visit, 'not_recognised')

  const forget = forgetTransaction(state, secure)
  let signedIn: SignedIn
  try {
    signedIn = await site.provider.redeem(signIn, url, transaction)
  } catch (error) {
    return showFailure(visit, reportFailure(visit, error, 'A sign-in failed'), [forget])
  }
  const { person, access } = signedIn
  const session = await withFiles(visit, async () => {
    const before = await currentSession(visit)
    const cookie = await site.sessions.begin(person, access)
    if (before) await site.sessions.end(before.id)
    return cookie
  }, [forget])
  if (!session) return
  site.log.info({ subject: person.subject }, 'Somebody signed in')
  const keep = setCookie(sessionCookie, session.value, sessionSeconds, secure)
  redirect(visit, appPath, [forget, keep])
}

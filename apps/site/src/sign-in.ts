import { appPath, setCookie } from './cookies.ts'
import { currentSession, sessionCookie } from './current-session.ts'
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

const showFailure = (visit: Visit, failure: SignInFailure, cookies: string[] = []) => {
  const { name } = visit.site.settings()
  sendPrivatePage(visit, failureStatus[failure], signInFailurePage(visit.language, name, failure), {
    // The address may hold an authorization code.
    'referrer-policy': 'no-referrer',
    'set-cookie': cookies,
  })
}

const showMalformed = (visit: Visit) =>
  sendPrivatePage(
    visit,
    400,
    messagePage(visit.language, visit.site.settings().name, phrases[visit.language].malformed),
  )

/** Sends the visitor to the provider. Asks and changes nothing else, so a link preview may do it too. */
export const beginSignIn = async (visit: Visit): Promise<void> => {
  const { site, request } = visit
  const url = visitedUrl(visit)
  if (!url) return showMalformed(visit)
  const { signIn } = site.settings()
  if (!signIn) return showFailure(visit, 'not_set_up')
  try {
    const { url: to, transaction } = await site.provider.begin(signIn, url.origin + callbackPath)
    const secure = url.protocol === 'https:'
    const { cookie } = request.headers
    redirect(visit, to.href, rememberTransaction(await site.key(), transaction, cookie, secure))
  } catch (error) {
    const failure = classifyFailure(error)
    site.log.warn({ failure, ...describeFailure(error) }, 'A sign-in could not begin')
    showFailure(visit, failure)
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
  const { cookie } = request.headers
  const transaction = isState(state) ? findTransaction(await site.key(), state, cookie) : null
  if (!transaction) return showFailure(visit, 'not_recognised')

  const forget = forgetTransaction(state, secure)
  try {
    const person = await site.provider.redeem(signIn, url, transaction)
    const before = await currentSession(visit)
    if (before) await site.sessions.end(before.id)
    const session = await site.sessions.begin(person)
    site.log.info({ subject: person.subject }, 'Somebody signed in')
    const keep = setCookie(sessionCookie, session, sessionSeconds, secure)
    redirect(visit, appPath, [forget, keep])
  } catch (error) {
    const failure = classifyFailure(error)
    site.log.warn({ failure, ...describeFailure(error) }, 'A sign-in failed')
    showFailure(visit, failure, [forget])
  }
}

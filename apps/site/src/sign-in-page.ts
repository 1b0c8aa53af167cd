import { editorPath } from './cookies.ts'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'
import { renderPage } from './layout.ts'
import { phrases } from './phrases.ts'
import type { SignInFailure } from './sign-in-failure.ts'

/** Starts a sign-in. The console's access link points here too. */
export const signInPath = `${editorPath}/auth/oauth/cloud`

/** The address that starts a sign-in, and returns to this page of the editor after it. */
export const signInAddress = (returnPath: string): string =>
  returnPath === editorPath
    ? signInPath
    : `${signInPath}?${new URLSearchParams({ next: returnPath })}`

/** A link, not a form: the content security policy restricts forms to this site. */
export const signInButton = (label: string, address = signInPath): string =>
  `<a class="button" href="${escapeHtml(address)}">${escapeHtml(label)}</a>`

/** The page of a visitor who is not signed in, has signed out or lost access. */
export const signInPage = (
  language: Language,
  siteName: string,
  address: string,
  noticeKind?: 'signedOut' | 'accessEnded',
): string => {
  const phrase = phrases[language]
  const kind =
    noticeKind === 'signedOut'
      ? 'class="notice good" role="status"'
      : 'class="notice bad" role="alert"'
  const notice = noticeKind ? `<p ${kind}>${escapeHtml(phrase[noticeKind])}</p>\n` : ''
  return renderPage({
    language,
    siteName,
    title: `${phrase.signInTitle} · ${siteName}`,
    main: `${notice}<h1>${escapeHtml(phrase.signInTitle)}</h1>
<p class="lead">${escapeHtml(phrase.signInText(siteName))}</p>
<p class="actions">${signInButton(phrase.signIn, address)} <a href="/">${escapeHtml(phrase.home)}</a></p>`,
    footer: escapeHtml(siteName),
  })
}

/** The page shown while the console confirms the sign-in again. */
export const renewalPage = (language: Language, siteName: string, address: string): string => {
  const phrase = phrases[language]
  const { title, text } = phrase.renewal
  return renderPage({
    language,
    siteName,
    title: `${title} · ${siteName}`,
    main: `<h1>${escapeHtml(title)}</h1>
<p class="lead" role="status">${escapeHtml(text)}</p>
<p class="actions">${signInButton(phrase.signInAgain, address)}</p>`,
    footer: escapeHtml(siteName),
  })
}

/** The reason of a failed sign-in, with a link to retry. */
export const signInFailurePage = (
  language: Language,
  siteName: string,
  failure: SignInFailure,
): string => {
  const phrase = phrases[language]
  const { title, text } = phrase.failures[failure]
  return renderPage({
    language,
    siteName,
    title: `${title} · ${siteName}`,
    main: `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(text)}</p>
<p class="actions">${signInButton(phrase.signInAgain)} <a href="/">${escapeHtml(phrase.home)}</a></p>`,
    footer: escapeHtml(siteName),
  })
}

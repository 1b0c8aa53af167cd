import type { Content } from './content.ts'
import { appPath } from './cookies.ts'
import { formatNumber, type Language } from './language.ts'
import { escapeHtml, renderPage } from './layout.ts'
import { maxCharacters, type PageErrors, type PageInput } from './page-form.ts'
import { phrases } from './phrases.ts'
import type { OpenSession } from './sessions.ts'
import type { Settings } from './settings.ts'
import { signInButton } from './sign-in-page.ts'

export const signOutPath = `${appPath}/sign-out`

export type EditorState = {
  written: PageInput
  /** The version that the draft is based on. */
  basedOn: string
  errors?: PageErrors
  notice?: 'saved' | 'notSaved' | 'notSavedYet' | 'notChecked' | 'changedMeanwhile' | 'formOutdated'
  /** A conflicting version saved by another user. */
  saved?: Content
}

const account = (language: Language, { name, email, subject, formToken }: OpenSession) => {
  const phrase = phrases[language]
  return `
<div class="account"><span>${escapeHtml(phrase.signedInAs(name ?? email ?? subject))}</span>
<form method="post" action="${signOutPath}"><input type="hidden" name="form_token" value="${formToken}"><button>${escapeHtml(phrase.signOut)}</button></form></div>`
}

/** Attributes that link a field to its hint and error, and focus the first error. */
const fieldAttributes = (field: keyof PageInput, errors: PageErrors) => {
  const error = errors[field]
  const isFirstError = error !== undefined && (field === 'title' || errors.title === undefined)
  return `id="${field}" name="${field}" aria-describedby="${error ? `${field}-error ` : ''}${field}-hint"${
    error ? ' aria-invalid="true"' : ''
  }${isFirstError ? ' autofocus' : ''}`
}

const errorAndHint = (field: keyof PageInput, errors: PageErrors, hint: string) => {
  const error = errors[field]
  const errorHtml = error ? `<p class="error" id="${field}-error">${escapeHtml(error)}</p>\n` : ''
  return `${errorHtml}<p class="hint" id="${field}-hint">${escapeHtml(hint)}</p>`
}

const noticeOf = (language: Language, { notice }: EditorState) => {
  if (!notice) return ''
  const kind =
    notice === 'saved' ? 'class="notice good" role="status"' : 'class="notice bad" role="alert"'
  return `<p ${kind}>${escapeHtml(phrases[language][notice])}</p>\n`
}

// HTML drops the first line break of a textarea, so a leading one is doubled.
const textArea = (attributeText: string, text: string) =>
  `<textarea ${attributeText}>\n${escapeHtml(text)}</textarea>`

const readOnly = (id: string, label: string, text: string) => `<div class="field">
<label for="${id}">${escapeHtml(label)}</label>
${textArea(`id="${id}" readonly`, text)}
</div>`

const savedVersion = (language: Language, { saved }: EditorState) => {
  if (!saved) return ''
  const phrase = phrases[language]
  return `
<h2>${escapeHtml(phrase.savedVersion)}</h2>
<div class="field">
<label for="saved-title">${escapeHtml(phrase.title)}</label>
<input id="saved-title" readonly value="${escapeHtml(saved.title ?? '')}">
</div>
${readOnly('saved-text', phrase.text, saved.text ?? '')}`
}

/** The project's page in the console: the client id is the project's key. */
const consoleLink = (language: Language, signIn: Settings['signIn']) => {
  if (!signIn) return ''
  const address = `${signIn.issuer}/projects/view/${encodeURIComponent(signIn.clientId)}`
  return ` <a href="${escapeHtml(address)}">${escapeHtml(phrases[language].toConsole)}</a>`
}

/** The form that edits the home page, for a signed-in user. */
export const editorPage = (
  language: Language,
  { name: siteName, signIn }: Settings,
  session: OpenSession,
  state: EditorState,
): string => {
  const phrase = phrases[language]
  const { written, basedOn, errors = {} } = state
  const textHint = phrase.textHint(formatNumber(language, maxCharacters.text))
  return renderPage({
    language,
    siteName,
    title: `${phrase.editTitle} · ${siteName}`,
    account: account(language, session),
    main: `<h1>${escapeHtml(phrase.editTitle)}</h1>
${noticeOf(language, state)}<form method="post" action="${appPath}">
<input type="hidden" name="form_token" value="${session.formToken}">
<input type="hidden" name="based_on" value="${escapeHtml(basedOn)}">
<div class="field">
<label for="title">${escapeHtml(phrase.title)}</label>
<input ${fieldAttributes('title', errors)} autocomplete="off" value="${escapeHtml(written.title)}">
${errorAndHint('title', errors, phrase.titleHint)}
</div>
<div class="field">
<label for="text">${escapeHtml(phrase.text)}</label>
${textArea(fieldAttributes('text', errors), written.text)}
${errorAndHint('text', errors, textHint)}
</div>
<div class="actions"><button>${escapeHtml(phrase.save)}</button> <a href="/">${escapeHtml(phrase.viewPage)}</a>${consoleLink(language, signIn)}</div>
</form>${savedVersion(language, state)}`,
    footer: escapeHtml(siteName),
  })
}

/** Shows the text again to a user whose session ended before saving. */
export const sessionEndedPage = (
  language: Language,
  siteName: string,
  { title, text }: PageInput,
): string => {
  const phrase = phrases[language]
  return renderPage({
    language,
    siteName,
    title: `${phrase.sessionEnded.title} · ${siteName}`,
    main: `<h1>${escapeHtml(phrase.sessionEnded.title)}</h1>
<p class="lead">${escapeHtml(phrase.sessionEnded.text)}</p>
<p class="actions">${signInButton(phrase.signInAgain)}</p>
<div class="field">
<label for="your-title">${escapeHtml(phrase.yourTitle)}</label>
<input id="your-title" readonly value="${escapeHtml(title)}">
</div>
${readOnly('your-text', phrase.yourText, text)}`,
    footer: escapeHtml(siteName),
  })
}

import { editorPath } from './cookies.ts'
import { homeId, pageName } from './editable-page.ts'
import { hiddenField, noticeHtml, renderEditorPage } from './editor-layout.ts'
import { escapeHtml } from './html.ts'
import { formatNumber, type Language } from './language.ts'
import { renderPage } from './layout.ts'
import { maxCharacters, type PageErrors, type PageInput } from './page-form.ts'
import { phrases } from './phrases.ts'
import { pictureAddress } from './picture-address.ts'
import type { OpenSession } from './sessions.ts'
import type { Settings } from './settings.ts'
import { signInButton } from './sign-in-page.ts'
import { uploadForm } from './upload-form.ts'
import { maxPages, type Picture, type StoredPage, type Website } from './website.ts'

export const previewPath = `${editorPath}/preview`

type Notice =
  | 'saved'
  | 'notSaved'
  | 'diskFull'
  | 'notSavedYet'
  | 'notChecked'
  | 'changedMeanwhile'
  | 'formOutdated'
  | 'pageGone'
  | 'tooManyPages'

export type EditorState = {
  /** The id of the page; empty for the home page. */
  pageId: string
  input: PageInput
  /** The version that the draft is based on. */
  basedOn: string
  errors?: PageErrors
  notice?: Notice
  /** A conflicting version saved by another user. */
  saved?: PageInput
}

type Field = keyof PageErrors

/** Attributes that link a field to its hint and error, and focus the first error. */
const fieldAttributes = (field: Field, errors: PageErrors) => {
  const error = errors[field]
  const order: Field[] = ['title', 'slug', 'text']
  const isFirstError = order.find((each) => errors[each] !== undefined) === field
  return `id="${field}" name="${field}" aria-describedby="${error ? `${field}-error ` : ''}${field}-hint"${
    error ? ' aria-invalid="true"' : ''
  }${isFirstError ? ' autofocus' : ''}`
}

const errorAndHint = (field: Field, errors: PageErrors, hint: string) => {
  const error = errors[field]
  const errorHtml = error ? `<p class="error" id="${field}-error">${escapeHtml(error)}</p>\n` : ''
  return `${errorHtml}<p class="hint" id="${field}-hint">${escapeHtml(hint)}</p>`
}

const noticeOf = (language: Language, notice: Notice | undefined) => {
  const phrase = phrases[language]
  if (!notice) return ''
  if (notice === 'tooManyPages') {
    return noticeHtml('bad', phrase.maxPages(formatNumber(language, maxPages + 1)))
  }
  return noticeHtml(notice === 'saved' ? 'good' : 'bad', phrase[notice])
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
<input id="saved-title" readonly value="${escapeHtml(saved.title)}">
</div>
${readOnly('saved-text', phrase.text, saved.text)}`
}

/** The project's page in the console: the client id is the project's key. */
const consoleLink = (language: Language, signIn: Settings['signIn']) => {
  if (!signIn) return ''
  const address = `${signIn.issuer}/projects/view/${encodeURIComponent(signIn.clientId)}`
  return ` <a href="${escapeHtml(address)}">${escapeHtml(phrases[language].toConsole)}</a>`
}

const chips = (language: Language, pages: readonly StoredPage[], current: string) => {
  const phrase = phrases[language]
  const items = [{ id: homeId, title: '' }, ...pages].map((page) => {
    const mark = page.id === current ? ' aria-current="page"' : ''
    const address = page.id === homeId ? editorPath : `${editorPath}?page=${page.id}`
    return `<li><a href="${address}"${mark}>${escapeHtml(pageName(language, page))}</a></li>`
  })
  const add =
    pages.length < maxPages
      ? `<li><a href="${editorPath}?page=new">+ ${escapeHtml(phrase.addPage)}</a></li>`
      : ''
  return `<nav aria-label="${escapeHtml(phrase.pages)}"><ul class="chips">${items.join('')}${add}</ul></nav>\n`
}

const addressField = (language: Language, { input, errors = {} }: EditorState) => {
  const phrase = phrases[language]
  return `<div class="field">
<label for="slug">${escapeHtml(phrase.address)}</label>
<input ${fieldAttributes('slug', errors)} autocomplete="off" autocapitalize="none" spellcheck="false" value="${escapeHtml(input.slug)}">
${errorAndHint('slug', errors, phrase.addressHint)}
</div>
<div class="field"><label class="check"><input type="checkbox" name="in_menu"${input.inMenu ? ' checked' : ''}> ${escapeHtml(phrase.inMenu)}</label></div>
`
}

/** True when the form shows what is stored. */
const isStored = ({ notice, errors }: EditorState) =>
  (notice === undefined || notice === 'saved') && errors === undefined

const icons = {
  bold: '<path d="M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z"/>',
  italic: '<path d="M10 5h7M7 19h7M14 5l-4 14"/>',
  heading: '<path d="M6 5v14M18 5v14M6 12h12"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17"/>',
  list: '<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"/>',
  quote: '<path d="M5 5v14M10 8h10M10 12h10M10 16h6"/>',
  picture:
    '<rect x="4" y="5" width="16" height="14" rx="2"/><path d="m4 16 4.5-4.5 4 4 2.5-2.5 5 5M15 9.5h.01"/>',
}

/** The toolbar, which the script shows. */
const toolbar = (language: Language) => {
  const phrase = phrases[language]
  const button = (attributes: string, icon: keyof typeof icons, label: string, keys?: string) =>
    `<button type="button" ${attributes} aria-label="${escapeHtml(label)}" title="${escapeHtml(label)}"${keys ? ` aria-keyshortcuts="Control+${keys}"` : ''}><svg viewBox="0 0 24 24" aria-hidden="true">${icons[icon]}</svg></button>`
  const buttons = [
    button('data-mark="bold"', 'bold', phrase.bold, 'B'),
    button('data-mark="italic"', 'italic', phrase.italic, 'I'),
    button('data-mark="heading"', 'heading', phrase.headingButton),
    button('data-mark="link"', 'link', phrase.link, 'K'),
    button('data-mark="list"', 'list', phrase.list),
    button('data-mark="quote"', 'quote', phrase.quote),
    button('data-open-pictures', 'picture', phrase.picture),
  ]
  return `<div class="toolbar" role="toolbar" aria-label="${escapeHtml(phrase.formatting)}" aria-controls="text" hidden data-toolbar>${buttons.join('')}</div>
`
}

/** The dialog of the toolbar's last button. */
const pictureDialog = (language: Language, session: OpenSession, pictures: readonly Picture[]) => {
  const phrase = phrases[language]
  const thumbnails = pictures.map((picture) => {
    const [smallest] = picture.files
    const label = phrase.insertPicture(picture.alt ?? phrase.decorative)
    return `<button type="button" data-picture="${picture.id}" aria-label="${escapeHtml(label)}"><img src="${smallest ? pictureAddress(picture, smallest) : ''}" alt="" loading="lazy"></button>`
  })
  return `<dialog aria-labelledby="picture-title" data-pictures><h2 id="picture-title">${escapeHtml(phrase.addPicture)}</h2>
${uploadForm(language, session)}
<h2>${escapeHtml(phrase.orChoose)}</h2>
<div class="thumbs" data-thumbnails data-label="${escapeHtml(phrase.insertPicture('{alt}'))}">${thumbnails.join('')}</div>
<p class="actions"><button type="button" class="quiet" data-close>${escapeHtml(phrase.cancel)}</button></p></dialog>`
}

/** The form that edits a page, for a signed-in user. */
export const editorPage = (
  language: Language,
  { name: siteName, signIn }: Settings,
  session: OpenSession,
  website: Pick<Website, 'pages' | 'pictures'>,
  state: EditorState,
): string => {
  const phrase = phrases[language]
  const { pages } = website
  const { pageId, input, basedOn, errors = {} } = state
  const stored = pages.find(({ id }) => id === pageId)
  const textHint = phrase.textHint(formatNumber(language, maxCharacters.text))
  const address = pageId === homeId ? '/' : `/${stored?.slug ?? ''}`
  const heading =
    pageId === homeId ? phrase.editTitle : stored ? phrase.editPage(stored.title) : phrase.newPage
  const viewLink =
    pageId === homeId || stored ? ` <a href="${address}">${escapeHtml(phrase.viewPage)}</a>` : ''
  return renderEditorPage({
    language,
    siteName,
    session,
    section: 'pages',
    heading,
    main: `${chips(language, pages, pageId)}${noticeOf(language, state.notice)}<div class="split">
<form method="post" action="${editorPath}" data-editor${isStored(state) ? '' : ' data-dirty'} data-saving="${escapeHtml(phrase.saving)}" data-saved="${escapeHtml(phrase.saved)}" data-unsaved="${escapeHtml(phrase.unsaved)}" data-offline="${escapeHtml(phrase.offline)}">
${hiddenField('form_token', session.formToken)}
${hiddenField('based_on', basedOn)}
${hiddenField('page', pageId)}
<div class="field">
<label for="title">${escapeHtml(phrase.title)}</label>
<input ${fieldAttributes('title', errors)} autocomplete="off" value="${escapeHtml(input.title)}">
${errorAndHint('title', errors, phrase.titleHint)}
</div>
${pageId === homeId ? '' : addressField(language, state)}<div class="field">
<label for="text">${escapeHtml(phrase.text)}</label>
${toolbar(language)}${textArea(fieldAttributes('text', errors), input.text)}
${errorAndHint('text', errors, textHint)}
</div>
<div class="actions bar"><button name="save">${escapeHtml(phrase.save)}</button> <button class="quiet" formaction="${previewPath}" formtarget="preview" formnovalidate data-preview>${escapeHtml(phrase.preview)}</button><span class="status" role="status" data-status></span><span class="actions" data-links>${viewLink}${consoleLink(language, signIn)}</span></div>
</form>
<section class="preview" aria-labelledby="preview-title"><h2 id="preview-title">${escapeHtml(phrase.preview)}</h2>
<iframe name="preview" title="${escapeHtml(phrase.preview)}" sandbox="allow-same-origin allow-popups" src="${previewPath}?page=${pageId}"></iframe></section>
</div>${savedVersion(language, state)}
${pictureDialog(language, session, website.pictures)}`,
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

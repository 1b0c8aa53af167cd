import { hiddenField, noticeHtml, renderEditorPage, sectionPaths } from './editor-layout.ts'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'
import { maxCharacters } from './page-form.ts'
import { deleteButton } from './page-list-page.ts'
import { phrases } from './phrases.ts'
import { pictureAddress } from './picture-address.ts'
import type { OpenSession } from './sessions.ts'
import { uploadForm } from './upload-form.ts'
import type { Picture } from './website.ts'

export type PicturesNotice =
  | 'pictureSaved'
  | 'pictureDeleted'
  | 'pictureChanged'
  | 'pictureGone'
  | 'notSaved'
  | 'diskFull'

export type PicturesState = {
  notice?: PicturesNotice
  /** The submitted description, if it was not stored. */
  submitted?: { id: string; alt: string | null; error?: string }
}

type ListedPicture = Picture & { shownOn: readonly string[] }

const isSuccess = (notice: PicturesNotice) =>
  notice === 'pictureSaved' || notice === 'pictureDeleted'

/** The pictures of the site, to describe and delete. */
export const picturesPage = (
  language: Language,
  siteName: string,
  session: OpenSession,
  pictures: readonly ListedPicture[],
  { notice, submitted }: PicturesState,
): string => {
  const phrase = phrases[language]
  const token = hiddenField('form_token', session.formToken)

  const card = (picture: ListedPicture) => {
    const { id, files, updatedAt, shownOn } = picture
    const isSubmitted = submitted?.id === id
    const alt = isSubmitted ? submitted.alt : picture.alt
    const error = isSubmitted ? submitted.error : undefined
    const [smallest] = files
    const address = smallest ? pictureAddress(picture, smallest) : ''
    const errorHtml = error ? `<p class="error" id="error-${id}">${escapeHtml(error)}</p>` : ''
    return `<li><img src="${address}" alt="${escapeHtml(picture.alt ?? '')}" loading="lazy">
<form method="post" action="${sectionPaths.pictures}">${token}${hiddenField('picture', id)}${hiddenField('based_on', updatedAt)}
<label for="alt-${id}">${escapeHtml(phrase.alt)}</label>
<input id="alt-${id}" name="alt" maxlength="${maxCharacters.alt}" autocomplete="off" value="${escapeHtml(alt ?? '')}"${error ? ` aria-invalid="true" aria-describedby="error-${id}" autofocus` : ''}>${errorHtml}
<label class="check"><input type="checkbox" name="decorative"${alt === null ? ' checked' : ''}> <span>${escapeHtml(phrase.decorative)}</span></label>
<p class="hint">${escapeHtml(shownOn.length > 0 ? phrase.shownOn(shownOn.join(', ')) : phrase.notShown)}</p>
<div class="actions"><button class="quiet">${escapeHtml(phrase.save)}</button></div></form>
<form method="post" action="${sectionPaths.pictures}">${token}${hiddenField('picture', id)}
${deleteButton(phrase.delete, phrase.deletePictureText, phrase.deletePicture, 'name="delete"')}</form></li>`
  }

  const list =
    pictures.length > 0
      ? `<ul class="cards">\n${pictures.map(card).join('\n')}\n</ul>`
      : `<p>${escapeHtml(phrase.noPictures)}</p>`
  return renderEditorPage({
    language,
    siteName,
    session,
    section: 'pictures',
    heading: phrase.pictures,
    main: `${notice ? noticeHtml(isSuccess(notice) ? 'good' : 'bad', phrase[notice]) : ''}<p class="hint">${escapeHtml(phrase.picturesText)}</p>
<h2>${escapeHtml(phrase.addPicture)}</h2>
${uploadForm(language, session)}
<h2>${escapeHtml(phrase.orChoose)}</h2>
${list}`,
  })
}

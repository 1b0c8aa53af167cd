import { editablePage, homeId, pageName } from './editable-page.ts'
import { openAction, openEditor, sendEditorPage, writeFailure } from './editor-access.ts'
import { sectionPaths } from './editor-layout.ts'
import { formatNumber } from './language.ts'
import { length, maxCharacters, readLine } from './page-form.ts'
import { phrases } from './phrases.ts'
import { picturePath } from './picture-address.ts'
import { type PicturesNotice, type PicturesState, picturesPage } from './pictures-page.ts'
import { redirect } from './respond.ts'
import type { OpenSession } from './sessions.ts'
import { nextVersion } from './stored-file.ts'
import { type Visit, visitedUrl } from './visit.ts'
import type { Website } from './website.ts'

/** The names of the pages that show a picture. */
const pagesWith = ({ site, language }: Visit, pictureId: string): string[] => {
  const home = editablePage(site, language, homeId)
  const pages = [
    { id: homeId, title: '', text: home?.input.text ?? '' },
    ...site.website.current().pages,
  ]
  return pages
    .filter(({ text }) => text.includes(picturePath + pictureId))
    .map((page) => pageName(language, page))
}

const show = (visit: Visit, status: number, session: OpenSession, state: PicturesState = {}) => {
  const { site, language } = visit
  const pictures = site.website
    .current()
    .pictures.map((picture) => ({ ...picture, shownOn: pagesWith(visit, picture.id) }))
  const { name } = site.settings()
  sendEditorPage(visit, status, picturesPage(language, name, session, pictures, state))
}

/** Shows the pictures with their descriptions. */
export const showPictures = async (visit: Visit): Promise<void> => {
  const session = await openEditor(visit)
  if (!session) return
  const query = visitedUrl(visit)?.searchParams
  const notice: PicturesNotice | undefined = query?.has('saved')
    ? 'pictureSaved'
    : query?.has('deleted')
      ? 'pictureDeleted'
      : undefined
  show(visit, 200, session, { notice })
}

type Edit = (website: Website) => Website | 'gone' | 'changed'

const describe =
  (pictureId: string, alt: string | null, basedOn: string): Edit =>
  (website) => {
    const picture = website.pictures.find(({ id }) => id === pictureId)
    if (!picture) return 'gone'
    if (picture.alt === alt) return website
    if (picture.updatedAt !== basedOn) return 'changed'
    const changed = { ...picture, alt, updatedAt: nextVersion(picture.updatedAt) }
    const pictures = website.pictures.map((other) => (other === picture ? changed : other))
    return { ...website, pictures }
  }

const withoutPicture =
  (pictureId: string): Edit =>
  (website) => ({
    ...website,
    pictures: website.pictures.filter(({ id }) => id !== pictureId),
  })

/** Changes the description of a picture, or deletes it. */
export const changePicture = async (visit: Visit): Promise<void> => {
  const action = await openAction(visit)
  if (!action) return
  const { session, form } = action
  const { site, language } = visit
  const phrase = phrases[language]
  const pictureId = form.get('picture') ?? ''
  const isDeleted = form.has('delete')
  const alt = form.has('decorative') ? null : readLine(form, 'alt')
  const submitted = { id: pictureId, alt }
  if (!isDeleted && alt === '') {
    return show(visit, 422, session, { submitted: { ...submitted, error: phrase.altMissing } })
  }
  if (!isDeleted && length(alt ?? '') > maxCharacters.alt) {
    const error = phrase.altTooLong(formatNumber(language, maxCharacters.alt))
    return show(visit, 422, session, { submitted: { ...submitted, error } })
  }

  const picture = site.website.current().pictures.find(({ id }) => id === pictureId)
  const edit = isDeleted
    ? withoutPicture(pictureId)
    : describe(pictureId, alt, form.get('based_on') ?? '')
  let problem: 'gone' | 'changed' | null
  try {
    problem = await site.website.change(edit)
    if (isDeleted && picture) await site.pictureFiles.remove(picture)
  } catch (error) {
    const notice = writeFailure(visit, error, 'A picture could not be changed')
    return show(visit, 500, session, { notice, submitted })
  }
  if (problem === 'gone') return show(visit, 409, session, { notice: 'pictureGone' })
  if (problem === 'changed') {
    return show(visit, 409, session, { notice: 'pictureChanged', submitted })
  }
  redirect(visit, `${sectionPaths.pictures}?${isDeleted ? 'deleted' : 'saved'}`)
}

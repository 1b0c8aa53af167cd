import { startLivePreview } from './live-preview.ts'
import { startPictures } from './picture-dialog.ts'
import { startSaving } from './saving.ts'
import { startToolbar } from './toolbar.ts'

/** Starts everything of the form that edits a page, if the document has one. */
export const startEditing = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-editor]')
  const text = form?.querySelector<HTMLTextAreaElement>('[name=text]')
  if (!form || !text) return
  startLivePreview(form)
  startToolbar(form, text)
  startPictures(form, text)
  startSaving(form, startEditing)
}

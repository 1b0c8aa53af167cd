import { replaceSelection } from './toolbar.ts'
import { startUpload, type Uploaded } from './uploading.ts'

/** A picture as a new paragraph, or in the paragraph of the previous picture: a gallery. */
const insert = (text: HTMLTextAreaElement, id: string) => {
  const before = text.value.slice(0, text.selectionStart)
  if (/(?:^|\n)!\[[^\n]*\)\n\n$/.test(before)) {
    text.setSelectionRange(text.selectionStart - 1, text.selectionEnd)
    replaceSelection(text, `![](/pictures/${id})\n\n`)
    return
  }
  const breaks = /\n*$/.exec(before)?.[0].length ?? 0
  const gap = before === '' ? '' : '\n'.repeat(Math.max(2 - breaks, 0))
  replaceSelection(text, `${gap}![](/pictures/${id})\n\n`)
}

const thumbnail = ({ id, alt, thumbnail }: Uploaded, label: string) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.dataset.picture = id
  button.setAttribute('aria-label', label.replace('{alt}', alt))
  const image = document.createElement('img')
  image.src = thumbnail
  image.alt = ''
  button.append(image)
  return button
}

/** The dialog that adds a picture to the text: a new one, or one that was uploaded before. */
export const startPictures = (form: HTMLFormElement, text: HTMLTextAreaElement): void => {
  const dialog = document.querySelector<HTMLDialogElement>('[data-pictures]')
  const upload = dialog?.querySelector<HTMLFormElement>('[data-upload]')
  const thumbnails = dialog?.querySelector<HTMLElement>('[data-thumbnails]')
  const open = form.querySelector<HTMLButtonElement>('[data-open-pictures]')
  if (!dialog || !upload || !thumbnails || !open) return

  const choose = (id: string) => {
    dialog.close()
    insert(text, id)
  }
  open.addEventListener('click', () => dialog.showModal())
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close())
  thumbnails.addEventListener('click', ({ target }) => {
    const id = (target as Element).closest('button')?.dataset.picture
    if (id) choose(id)
  })
  startUpload(upload, (picture) => {
    thumbnails.prepend(thumbnail(picture, thumbnails.dataset.label ?? ''))
    choose(picture.id)
  })
}

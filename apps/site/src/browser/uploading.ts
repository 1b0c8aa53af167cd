import { resize } from './resizing.ts'

/** A stored picture. */
export type Uploaded = { id: string; alt: string; thumbnail: string }

type Result = { status: number; body: Partial<Uploaded> & { error?: string } }

/** Sends a form by XMLHttpRequest: `fetch` reports no progress of an upload. */
const send = (
  address: string,
  token: string,
  form: FormData,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
) =>
  new Promise<Result>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.setRequestHeader('x-form-token', token)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.round((loaded / total) * 100)),
    )
    request.addEventListener('load', () =>
      resolve({ status: request.status, body: request.response ?? {} }),
    )
    request.addEventListener('error', () => reject(new Error('The upload failed')))
    request.addEventListener('abort', () => reject(new Error('The upload was canceled')))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })

/** The form that adds a picture: it makes the sizes, sends them and shows the progress. */
export const startUpload = (
  form: HTMLFormElement,
  onUploaded: (picture: Uploaded) => void,
): void => {
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  const find = <T extends HTMLElement>(selector: string) => form.querySelector<T>(selector)
  const [error, status] = [find('[data-error]'), find('[data-status]')]
  const cancel = find<HTMLButtonElement>('[data-cancel]')
  const progress = find<HTMLProgressElement>('progress')
  const { upload: address = '', uploading = '', unreadable = '', failed = '' } = form.dataset
  form.hidden = false

  const complain = (text: string) => {
    if (error) error.textContent = text
  }
  const showProgress = (percent: number | null) => {
    for (const part of [progress, cancel]) if (part) part.hidden = percent === null
    if (progress) progress.value = percent ?? 0
    if (status) {
      status.textContent = percent === null ? '' : uploading.replace('{percent}', String(percent))
    }
    for (const button of form.querySelectorAll<HTMLButtonElement>('button:not([data-cancel])'))
      button.disabled = percent !== null
  }

  const readSizes = async (file: File) => {
    try {
      return await resize(file)
    } catch {
      return null
    }
  }

  const upload = async () => {
    const file = field('file').files?.[0]
    if (!file) return
    complain('')
    if (!field('decorative').checked && field('alt').value.trim() === '') {
      complain(form.dataset.altMissing ?? '')
      field('alt').focus()
      return
    }
    showProgress(0)
    const sizes = await readSizes(file)
    if (!sizes) {
      showProgress(null)
      complain(unreadable)
      return
    }
    const fields = new FormData()
    fields.set('alt', field('alt').value)
    if (field('decorative').checked) fields.set('decorative', 'on')
    for (const size of sizes) fields.append('file', size, 'picture')
    const controller = new AbortController()
    const stop = () => controller.abort()
    cancel?.addEventListener('click', stop, { once: true })
    try {
      const token = field('form_token').value
      const { status, body } = await send(address, token, fields, showProgress, controller.signal)
      showProgress(null)
      if (status !== 201) return complain(body.error ?? failed)
      form.reset()
      onUploaded({ id: body.id ?? '', alt: body.alt ?? '', thumbnail: body.thumbnail ?? '' })
    } catch {
      showProgress(null)
      if (!controller.signal.aborted) complain(failed)
    } finally {
      cancel?.removeEventListener('click', stop)
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void upload()
  })
}

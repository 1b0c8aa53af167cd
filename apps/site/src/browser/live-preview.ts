import { parsePage } from './parse-page.ts'

const delayMs = 200

const frameDocument = () =>
  document.querySelector<HTMLIFrameElement>('iframe[name=preview]')?.contentDocument

/** Replaces the body in the frame, which keeps its scroll position. */
const showBody = (html: string) => {
  const body = frameDocument()?.body
  if (!body?.querySelector('main')) return
  const next = parsePage(html).body
  body.replaceChildren(...next.childNodes)
}

/** Lets the site render the text shortly after each change, one request at a time. */
export const startLivePreview = (form: HTMLFormElement): void => {
  const button = form.querySelector<HTMLButtonElement>('[data-preview]')
  if (!button) return
  const { formAction } = button
  button.hidden = true
  let timer = 0
  let isSending = false
  let isStale = false

  const update = async () => {
    if (isSending) {
      isStale = true
      return
    }
    isSending = true
    isStale = false
    try {
      const body = new URLSearchParams(new FormData(form) as never)
      const response = await fetch(formAction, { method: 'POST', body })
      if (response.ok && form.isConnected) showBody(await response.text())
    } catch {
      // Without a connection the last preview stays. The user learns of it when saving fails.
    }
    isSending = false
    if (isStale) void update()
  }

  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(update, delayMs)
  })
  const frame = document.querySelector('iframe[name=preview]')
  // The text may be a draft that differs from the stored page.
  frame?.addEventListener('load', () => void update(), { once: true })
  void update()
}

import { parsePage } from './parse-page.ts'

const serialize = (form: HTMLFormElement) => {
  const fields = new FormData(form)
  fields.delete('based_on')
  return new URLSearchParams(fields as never).toString()
}

/** The address of a page that continues by itself, such as the renewal of the sign-in. */
const refreshAddress = (response: Response) =>
  /url=(.+)$/.exec(response.headers.get('refresh') ?? '')?.[1]

let listeners = new AbortController()

/**
 * Saves without leaving the page, says whether everything is saved, and warns before unsaved
 * changes are lost. A response that is not "saved" replaces the content of the page; then `restart`
 * is called.
 */
export const startSaving = (form: HTMLFormElement, restart: () => void): void => {
  listeners.abort()
  listeners = new AbortController()
  const { signal } = listeners
  const status = form.querySelector<HTMLElement>('[data-status]')
  const saveButton = form.querySelector<HTMLButtonElement>('[name=save]')
  const { saving = '', saved = '', unsaved = '', offline = '' } = form.dataset
  // A form that the site returned after an error is not saved yet.
  let stored = form.dataset.dirty === undefined ? serialize(form) : ''
  let isSaving = false

  const isDirty = () => serialize(form) !== stored
  const showStatus = (text: string) => {
    if (status && status.textContent !== text) status.textContent = text
  }
  if (isDirty()) showStatus(unsaved)

  const showSaved = (page: Document, address: string, sent: string) => {
    const basedOn = form.elements.namedItem('based_on') as HTMLInputElement
    const version = page.querySelector<HTMLInputElement>('[name=based_on]')
    if (version) basedOn.value = version.value
    const slug = form.querySelector<HTMLInputElement>('[name=slug]')
    const storedSlug = page.querySelector<HTMLInputElement>('[name=slug]')
    const wasEmpty = slug?.value === ''
    if (slug && storedSlug && wasEmpty) slug.value = storedSlug.value
    for (const part of ['h1', '.chips', '[data-links]']) {
      const next = page.querySelector(part)
      if (next) document.querySelector(part)?.replaceWith(next)
    }
    for (const old of document.querySelectorAll('main > .notice, .error')) old.remove()
    for (const field of form.querySelectorAll('[aria-invalid]'))
      field.removeAttribute('aria-invalid')
    history.replaceState(null, '', address.replace(/[?&]saved$/, ''))
    stored = wasEmpty ? serialize(form) : sent
    showStatus(isDirty() ? unsaved : saved)
  }

  const showPage = (page: Document) => {
    const main = page.querySelector('main')
    if (!main) return
    listeners.abort()
    document.querySelector('main')?.replaceWith(main)
    restart()
    const first = main.querySelector<HTMLElement>('[autofocus]')
    if (first) first.focus()
    else main.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
  }

  const save = async () => {
    if (isSaving) return
    isSaving = true
    const sent = serialize(form)
    showStatus(saving)
    try {
      const body = new URLSearchParams(new FormData(form) as never)
      const response = await fetch(form.action, { method: 'POST', body })
      const renewal = refreshAddress(response)
      if (renewal) {
        // The site keeps what was written and shows it after the sign-in.
        listeners.abort()
        location.assign(renewal)
        return
      }
      const page = parsePage(await response.text())
      if (response.ok && response.redirected) showSaved(page, response.url, sent)
      else showPage(page)
    } catch {
      showStatus(offline)
    }
    isSaving = false
  }

  form.addEventListener(
    'submit',
    (event) => {
      event.preventDefault()
      void save()
    },
    { signal },
  )
  form.addEventListener('input', () => showStatus(isDirty() ? unsaved : ''), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      form.requestSubmit(saveButton)
    },
    { signal },
  )
  addEventListener(
    'beforeunload',
    (event) => {
      if (isDirty()) event.preventDefault()
    },
    { signal },
  )
}

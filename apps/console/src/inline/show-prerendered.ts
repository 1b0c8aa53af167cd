// Runs after `#root`: shows the prerendered HTML for this URL, language and session, and records
// the events until the bundle has loaded (docs/decisions/0019).
import { sessionToken } from '../api/session.ts'
import { colorModeKey } from '../shell/color-mode/color-mode.ts'
import { agreedKey } from '../shell/layout/alpha-agreement.ts'
import type { PrerenderedPage, RecordedEvent } from '../shell/layout/recorded-events.ts'

const { lang } = document.documentElement
const root = document.getElementById('root') as HTMLElement

/** The first template for this language, session and address. */
function findTemplate() {
  const session = sessionToken() ? 'user' : 'guest'
  const state = JSON.stringify(history.state)
  const address = `${location.pathname}${location.search}#${state}`
  return [...document.querySelectorAll('template')].find(
    ({ lang: templateLanguage, dataset }) =>
      templateLanguage === lang &&
      (dataset.session ?? session) === session &&
      new RegExp(dataset.address ?? '').test(address),
  )
}

/** Applies data that the build lacks: the device's settings, and the path to return to. */
function applyDeviceState() {
  if (localStorage.getItem(agreedKey) !== null) root.querySelector('aside')?.remove()
  for (const option of root.querySelectorAll('option'))
    option.selected ||= [lang, localStorage.getItem(colorModeKey)].includes(option.value)
  const next = location.pathname.startsWith('/auth/')
    ? new URLSearchParams(location.search).get('next')
    : location.pathname + location.search + location.hash
  const query = next === null ? '' : `?${new URLSearchParams({ next })}`
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href$="?next=%2F"]'))
    link.setAttribute('href', link.pathname + query)
}

/** Records events until the bundle takes over: `shell/layout/recorded-events.ts` replays them. */
function recordEvents(page: PrerenderedPage) {
  function record(element: HTMLElement, event: Event) {
    if (page.isOver || !root.contains(element)) return
    const control = ((event as SubmitEvent).submitter ?? element) as HTMLElement
    control.ariaBusy = 'true'
    control.style.opacity = '0.6'
    const { value } = element as HTMLElement & Pick<RecordedEvent, 'value'>
    page.events = page.events.filter((recorded) => recorded.element !== element)
    page.events.push({ type: event.type, element, control, value })
  }

  addEventListener('submit', (event) => {
    if (!page.isOver) event.preventDefault()
    record(event.target as HTMLElement, event)
  })
  addEventListener('change', (event) => {
    const element = event.target as HTMLElement
    if (element.matches('select')) record(element, event)
  })
  addEventListener('click', (event) => {
    if (page.isOver) return
    const element = event.target as HTMLElement
    const control = element.closest<HTMLElement>('[type=button], [type=checkbox]')
    const banner = control?.closest('aside')
    if (banner) {
      localStorage.setItem(agreedKey, new Date().toISOString())
      banner.remove()
      return
    }
    if (control?.matches('[type=checkbox]')) event.preventDefault()
    if (control) record(control, event)
  })
}

const template = findTemplate()
if (template) {
  const { screen, title, description = '' } = template.dataset
  root.append(template.content)
  document.querySelector('meta[name=description]')?.setAttribute('content', description)
  if (title) document.title = title
  applyDeviceState()
  const page: PrerenderedPage = { screen, events: [], isOver: false }
  globalThis.prerenderedPage = page
  recordEvents(page)
}

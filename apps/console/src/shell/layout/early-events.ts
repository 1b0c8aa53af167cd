/** What `inline/show-prerendered.ts` shows before the bundle has loaded, and the events until then. */
export type EarlyPage = {
  /** The path of the screen that the page shows already. */
  screen?: string
  events: EarlyEvent[]
  /** Whether the bundle has taken over. */
  isOver: boolean
}

/** An event that the bundle handles once it has loaded. */
export type EarlyEvent = {
  type: string
  element: HTMLElement
  /** What shows that the page is busy until then. */
  control: HTMLElement
  value?: string
}

declare global {
  var earlyPage: EarlyPage | undefined
}

/** Whether the page shows the first screen already. */
export const isPrerendered = () => globalThis.earlyPage?.screen !== undefined

/** Leaves later events to the bundle. */
export function stopEarlyEvents() {
  if (globalThis.earlyPage) globalThis.earlyPage.isOver = true
}

/** Repeats, once, the events that came before the bundle could handle them. */
export function replayEarlyEvents() {
  const events = globalThis.earlyPage?.events.splice(0) ?? []
  for (const { type, element, control, value } of events) {
    control.ariaBusy = null
    control.style.opacity = ''
    if (!element.isConnected) continue
    if (element instanceof HTMLFormElement)
      element.requestSubmit(control instanceof HTMLButtonElement ? control : null)
    else if (type === 'click') element.click()
    else if (element instanceof HTMLSelectElement) {
      element.value = value ?? ''
      element.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
}

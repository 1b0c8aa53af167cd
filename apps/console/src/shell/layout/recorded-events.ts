/**
 * The screen that `inline/show-prerendered.ts` shows until the bundle has loaded, and its events.
 */
export type PrerenderedPage = {
  /** The path of the prerendered screen. */
  screen?: string
  events: RecordedEvent[]
  /** Whether the bundle has taken over. */
  isOver: boolean
}

/** An event that the bundle handles once it has loaded. */
export type RecordedEvent = {
  type: string
  element: HTMLElement
  /** The element that looks busy until then. */
  control: HTMLElement
  value?: string
}

declare global {
  var prerenderedPage: PrerenderedPage | undefined
}

export const isPrerendered = () => globalThis.prerenderedPage?.screen !== undefined

/** Stops recording events: the bundle handles them from now on. */
export function stopRecordingEvents() {
  if (globalThis.prerenderedPage) globalThis.prerenderedPage.isOver = true
}

/** Replays the events that were recorded before the bundle could handle them, once. */
export function replayRecordedEvents() {
  const events = globalThis.prerenderedPage?.events.splice(0) ?? []
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

/** What `index.html` shows before the program has come, and what was pressed there until then. */
type Early = {
  /** The path of the screen that is there already. */
  screen?: string
  presses: { type: string; element: HTMLElement; button: HTMLElement; value?: string }[]
  isOver: boolean
}

declare global {
  var early: Early | undefined
}

/** Whether the page shows the program's own first screen already. */
export const isPainted = () => globalThis.early?.screen !== undefined

/** From now on the program hears by itself. */
export function endEarlyPresses() {
  if (globalThis.early) globalThis.early.isOver = true
}

/** Does again what was pressed before the program could hear it, once. */
export function repeatEarlyPresses() {
  const presses = globalThis.early?.presses.splice(0) ?? []
  for (const { type, element, button, value } of presses) {
    button.ariaBusy = null
    button.style.opacity = ''
    if (!element.isConnected) continue
    if (element instanceof HTMLFormElement)
      element.requestSubmit(button instanceof HTMLButtonElement ? button : null)
    else if (type === 'click') element.click()
    else if (element instanceof HTMLSelectElement) {
      element.value = value ?? ''
      element.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
}

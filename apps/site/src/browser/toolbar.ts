/** The marks that a button puts around the selection, or before each of its lines. */
const marks: Record<string, { around?: string; before?: string }> = {
  bold: { around: '**' },
  italic: { around: '*' },
  heading: { before: '## ' },
  list: { before: '- ' },
  quote: { before: '> ' },
}

const shortcuts: Record<string, string> = { b: 'bold', i: 'italic', k: 'link' }

/** Replaces the selection, so that it can be undone, and selects `selected` in it. */
export const replaceSelection = (
  text: HTMLTextAreaElement,
  replacement: string,
  selected: [start: number, end: number] = [replacement.length, replacement.length],
): void => {
  text.focus()
  const start = text.selectionStart
  // Deprecated, but the only way that supports the browser's undo.
  if (!document.execCommand('insertText', false, replacement)) {
    text.setRangeText(replacement)
    text.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  text.setSelectionRange(start + selected[0], start + selected[1])
}

const selection = (text: HTMLTextAreaElement) =>
  text.value.slice(text.selectionStart, text.selectionEnd)

const surround = (text: HTMLTextAreaElement, mark: string) => {
  const chosen = selection(text)
  const length = mark.length
  const isMarked = chosen.startsWith(mark) && chosen.endsWith(mark) && chosen.length > 2 * length
  if (isMarked) {
    const plain = chosen.slice(length, -length)
    replaceSelection(text, plain, [0, plain.length])
  } else {
    replaceSelection(text, mark + chosen + mark, [length, length + chosen.length])
  }
}

const selectLines = (text: HTMLTextAreaElement) => {
  const start = text.value.lastIndexOf('\n', text.selectionStart - 1) + 1
  const end = text.value.indexOf('\n', text.selectionEnd)
  text.setSelectionRange(start, end < 0 ? text.value.length : end)
}

const prefixLines = (text: HTMLTextAreaElement, mark: string) => {
  selectLines(text)
  const lines = selection(text).split('\n')
  const isMarked = lines.every((line) => line.startsWith(mark))
  const changed = lines.map((line) => (isMarked ? line.slice(mark.length) : mark + line)).join('\n')
  replaceSelection(text, changed)
}

const insertLink = (text: HTMLTextAreaElement) => {
  const chosen = selection(text)
  const isAddress = /^(?:https?:\/\/|\/)\S+$/.test(chosen)
  const label = isAddress ? '' : chosen
  const address = isAddress ? chosen : 'https://'
  const addressStart = label.length + 3
  replaceSelection(
    text,
    `[${label}](${address})`,
    label === '' ? [1, 1] : [addressStart, addressStart + address.length],
  )
}

const apply = (text: HTMLTextAreaElement, name: string) => {
  const { around, before } = marks[name] ?? {}
  if (around) surround(text, around)
  else if (before) prefixLines(text, before)
  else if (name === 'link') insertLink(text)
}

/** The buttons above the text, and their shortcuts. One of them takes part in the tab order. */
export const startToolbar = (form: HTMLFormElement, text: HTMLTextAreaElement): void => {
  const toolbar = form.querySelector<HTMLElement>('[data-toolbar]')
  if (!toolbar) return
  toolbar.hidden = false
  const buttons = [...toolbar.querySelectorAll('button')]
  const enter = (current: HTMLButtonElement) => {
    for (const button of buttons) button.tabIndex = button === current ? 0 : -1
  }
  if (buttons[0]) enter(buttons[0])
  toolbar.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('button')
    if (!button) return
    enter(button)
    if (button.dataset.mark) apply(text, button.dataset.mark)
  })
  // The keys of a toolbar (WAI-ARIA Authoring Practices).
  toolbar.addEventListener('keydown', (event) => {
    const current = buttons.indexOf(event.target as HTMLButtonElement)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && buttons.at((current + step) % buttons.length)
    if (!next) return
    event.preventDefault()
    enter(next)
    next.focus()
  })
  text.addEventListener('keydown', (event) => {
    const name = shortcuts[event.key.toLowerCase()]
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !name) return
    event.preventDefault()
    apply(text, name)
  })
}

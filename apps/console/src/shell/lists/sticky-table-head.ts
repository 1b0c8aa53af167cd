/** In pixels. In a shorter window the sticky parts would cover too many rows. */
const minWindowHeight = 500

/** In pixels. A toolbar of more lines is not sticky: one, and on a phone the count below it. */
const maxToolbarHeight = { wide: 64, phone: 76 }

/** In pixels. Padding around the sticky toolbar, so that no row shows between it and the head. */
const toolbarPadding = 8

const setStyle = (element: HTMLElement | null | undefined, styles: Partial<CSSStyleDeclaration>) =>
  element && Object.assign(element.style, styles)

/**
 * Makes a table's head and toolbar stick below the navigation, if the window is high enough and the
 * table does not scroll sideways. A phone has no head. Returns the cleanup.
 */
export function stickTableHead(list: HTMLElement) {
  const navigation = document.querySelector<HTMLElement>('header')
  const toolbar = list.querySelector<HTMLElement>('search')
  const table = list.querySelector('table')
  const frame = table?.parentElement
  const head = table?.tHead
  const wide = matchMedia('(width >= 40rem)')

  function reset() {
    setStyle(toolbar, {
      position: '',
      top: '',
      zIndex: '',
      background: '',
      margin: '',
      padding: '',
    })
    setStyle(head, { position: '', top: '', zIndex: '', background: '', boxShadow: '' })
    setStyle(frame, { overflow: '' })
    document.documentElement.style.scrollPaddingTop = ''
  }

  function update() {
    reset()
    if (!table || !frame || !head || !navigation) return
    const fits = table.offsetWidth <= frame.clientWidth
    if (!fits || innerHeight < minWindowHeight) return
    let top = navigation.offsetHeight
    const toolbarHeight = toolbar?.offsetHeight ?? 0
    const maxHeight = maxToolbarHeight[wide.matches ? 'wide' : 'phone']
    if (toolbarHeight && toolbarHeight <= maxHeight) {
      setStyle(toolbar, { position: 'sticky', top: `${top}px`, zIndex: '2' })
      setStyle(toolbar, { background: 'var(--canvas)', margin: `-${toolbarPadding}px 0` })
      setStyle(toolbar, { padding: `${toolbarPadding}px 0` })
      top += toolbarHeight + 2 * toolbarPadding
    }
    if (wide.matches) {
      // Inside a scroll container the head would stick to that container.
      setStyle(frame, { overflow: 'clip' })
      // One pixel lower, for the line above it: in the table's place its border has it.
      setStyle(head, { position: 'sticky', top: `${top + 1}px`, zIndex: '1' })
      setStyle(head, {
        background: 'var(--surface)',
        boxShadow: '0 1px var(--line), 0 -1px var(--line)',
      })
      top += 1 + head.offsetHeight
    }
    // Keeps a focused row clear of the sticky parts.
    const coveredHeight = top - navigation.offsetHeight
    document.documentElement.style.scrollPaddingTop = `${coveredHeight}px`
  }

  const observer = new ResizeObserver(update)
  for (const element of [navigation, toolbar, table, frame]) if (element) observer.observe(element)
  addEventListener('resize', update)
  return () => {
    observer.disconnect()
    removeEventListener('resize', update)
    reset()
  }
}

/** Where a window is lower, what stays in sight would take too much of it from the rows. */
const enough = 500

/** A toolbar of one line; one that needs more scrolls away. */
const oneLine = 64

/** Room around the toolbar while it stays, in pixels: no row shows between it and the head. */
const around = 8

const set = (element: HTMLElement | null | undefined, styles: Partial<CSSStyleDeclaration>) =>
  element && Object.assign(element.style, styles)

/**
 * Keeps the head of a table, and the toolbar above it, in sight below the navigation while the rows of
 * `list` are scrolled: where there are columns, the table is no wider than its place, and the window is high
 * enough. Gives what ends that.
 */
export function stickTableHead(list: HTMLElement) {
  const navigation = document.querySelector<HTMLElement>('header')
  const toolbar = list.querySelector<HTMLElement>('search')
  const table = list.querySelector('table')
  const frame = table?.parentElement
  const head = table?.tHead
  const wide = matchMedia('(width >= 40rem)')

  function release() {
    set(toolbar, { position: '', top: '', zIndex: '', background: '', margin: '', padding: '' })
    set(head, { position: '', top: '', zIndex: '', background: '', boxShadow: '' })
    set(frame, { overflow: '' })
    document.documentElement.style.scrollPaddingTop = ''
  }

  function place() {
    if (!table || !frame || !head || !navigation) return
    const fits = table.offsetWidth <= frame.clientWidth
    if (!fits || !wide.matches || innerHeight < enough) return release()
    // What is scrolled sideways would else hold on to the head.
    set(frame, { overflow: 'clip' })
    let top = navigation.offsetHeight
    const line = toolbar && toolbar.offsetHeight - (toolbar.style.position ? 2 * around : 0)
    if (toolbar && line && line <= oneLine) {
      set(toolbar, { position: 'sticky', top: `${top}px`, zIndex: '2' })
      set(toolbar, { background: 'var(--canvas)', margin: `-${around}px 0` })
      set(toolbar, { padding: `${around}px 0` })
      top += line + 2 * around
    }
    set(head, { position: 'sticky', top: `${top}px`, zIndex: '1' })
    set(head, { background: 'var(--surface)', boxShadow: '0 1px var(--line)' })
    // A row that gets the focus is not left behind them.
    const below = top + head.offsetHeight - navigation.offsetHeight
    document.documentElement.style.scrollPaddingTop = `${below}px`
  }

  const observer = new ResizeObserver(place)
  for (const element of [navigation, toolbar, table, frame]) if (element) observer.observe(element)
  addEventListener('resize', place)
  return () => {
    observer.disconnect()
    removeEventListener('resize', place)
    release()
  }
}

import { expect, type Page } from '@playwright/test'

/** Functions of the scripts below; all of them run in the page. */
const inPage = `
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('[inert], .sr-only, svg, script, style, template')
  const nameOf = (element) => element.outerHTML.slice(0, 120) + ' ' + element.textContent.trim().slice(0, 40)
`

/** Finds texts that are cut off, and texts outside of their control. */
const cutTexts = `
  // A text that is shortened on purpose is complete in its title or in the heading.
  const heading = document.querySelector('h1')?.textContent.trim()
  const isSaidElsewhere = (element, text) =>
    element.closest('[title]')?.title.includes(text) || (text === heading && !element.closest('h1'))
  const rectsOf = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  }
  // A table keeps its columns and scrolls in its frame (the exception of WCAG 1.4.10).
  const isOfTable = (box) => box.matches(':has(> table)') && getComputedStyle(box).overflowX === 'auto'
  const cutBy = (element, rect) => {
    for (let box = element; box && box !== document.documentElement; box = box.parentElement) {
      if (isOfTable(box)) return null
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(box)
      const { left, top, right, bottom } = box.getBoundingClientRect()
      if (overflowX !== 'visible' && (rect.left < left - 1 || rect.right > right + 1)) return box
      const cutsBelow = overflowY === 'hidden' || overflowY === 'clip'
      if (cutsBelow && (rect.top < top - 2 || rect.bottom > bottom + 2)) return box
    }
    return null
  }
  const isOutsideControl = (element, rect) => {
    const control = element.closest('button, a.control-height, [role=menuitem], th button, label')
    if (!control || getComputedStyle(control).display === 'inline') return false
    const { left, top, right, bottom } = control.getBoundingClientRect()
    return rect.left < left - 1 || rect.right > right + 1 || rect.top < top - 3 || rect.bottom > bottom + 3
  }
  const cut = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const element = node.parentElement
    const text = node.textContent.trim()
    if (!text || !isSeen(element) || isSaidElsewhere(element, text)) continue
    for (const rect of rectsOf(node)) {
      const box = cutBy(element, rect)
      if (box) cut.push('"' + text.slice(0, 40) + '" cut by ' + nameOf(box))
      else if (!element.closest('table') && (rect.left < -1 || rect.right > innerWidth + 1)) cut.push('"' + text.slice(0, 40) + '" outside of the window')
      else if (isOutsideControl(element, rect)) cut.push('"' + text.slice(0, 40) + '" outside of its control')
      else continue
      break
    }
  }
  // A field has space for one line of text.
  for (const field of document.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea')) {
    const { fontSize, paddingTop, paddingBottom } = getComputedStyle(field)
    const room = field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)
    if (isSeen(field) && room < parseFloat(fontSize)) cut.push('no room for a line in ' + nameOf(field))
  }
`

/** Finds controls that overlap, except a control within another, such as a clear button. */
const overlaps = `
  const all = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role^=menuitem], [role=option]'
  const controls = [...document.querySelectorAll(all)].filter((element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && isSeen(element)
  })
  const isWithin = (inner, outer) =>
    inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
  const areOver = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  const overlapping = []
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1)) {
      if (one.contains(other) || other.contains(one)) continue
      // The navigation is sticky, so the page scrolls below it.
      if (Boolean(one.closest('header')) !== Boolean(other.closest('header'))) continue
      const field = [one, other].find((each) => each.matches('input, select'))
      for (const a of one.getClientRects())
        for (const b of other.getClientRects())
          if (areOver(a, b) && !(field && (isWithin(a, b) || isWithin(b, a))))
            overlapping.push(nameOf(one) + ' over ' + nameOf(other))
    }
`

/** Finds elements that scroll sideways, and a sticky header that takes half of the window. */
const sideways = `
  const wide = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) wide.push('the page: ' + root.scrollWidth + ' > ' + root.clientWidth)
  for (const element of document.querySelectorAll('body *')) {
    if (element.scrollWidth <= element.clientWidth + 1 || !isSeen(element)) continue
    if (/auto|scroll/.test(getComputedStyle(element).overflowX) && !isOfTable(element)) wide.push(nameOf(element))
  }
  const highHeaders = [...document.querySelectorAll('header')].filter(
    (element) =>
      /sticky|fixed/.test(getComputedStyle(element).position) &&
      isSeen(element) &&
      element.offsetHeight >= innerHeight / 2,
  ).map(nameOf)
`

/**
 * Expects an intact layout: nothing is cut off, scrolls sideways or overlaps. `what` names the
 * check in the failure.
 */
export async function expectIntactLayout(page: Page, what: string) {
  const problems = await page.evaluate<Record<string, unknown>>(`(async () => {
    // Two frames: handlers of the resize have run.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    ${inPage} ${cutTexts} ${overlaps} ${sideways}
    return { cut, overlapping, wide, highHeaders }
  })()`)
  expect
    .soft(problems, `${what} at ${page.url()}`)
    .toEqual({ cut: [], overlapping: [], wide: [], highHeaders: [] })
}

/** Expects every control of a dialog or menu to be reachable by scrolling. */
export async function expectReachableControls(page: Page, role: 'dialog' | 'alertdialog' | 'menu') {
  await expect(page.getByRole(role)).toBeVisible()
  const unreachable = await page.evaluate<string[]>(`(() => {
    ${inPage}
    const all = 'h2, a[href], button, input, select, textarea, [role^=menuitem], [role=option]'
    const container = document.querySelector('[role=${role}]')
    return [...container.querySelectorAll(all)].filter(isSeen).filter((element) => {
      element.scrollIntoView({ block: 'nearest' })
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1
    }).map(nameOf)
  })()`)
  expect.soft(unreachable, `out of reach in the ${role} at ${page.url()}`).toEqual([])
}

/** A window of 1280 by 720 px at 200 % (WCAG 1.4.4 and 1.4.10). */
export const zoomed = { width: 640, height: 360 }
const fullSize = { width: 1280, height: 720 }

/** Runs a check on the current page at 200 %, and with text twice as large. */
export async function atBothZooms(page: Page, check: (condition: string) => Promise<void>) {
  const setTextSize = (size: string) =>
    page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
  await page.setViewportSize(zoomed)
  await check('zoomed')
  await page.setViewportSize(fullSize)
  await setTextSize('200%')
  await check('with large text')
  await setTextSize('')
  await page.setViewportSize(zoomed)
}

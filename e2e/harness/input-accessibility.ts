import { expect, type Page } from '@playwright/test'

/** Finds the elements that can be clicked; runs in the page, for all functions below. */
const inPage = `
  const clickable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role^=menuitem], [tabindex="0"]'
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true })
      && !element.closest('[inert], [aria-hidden=true]')
  }
  const targets = () => [...document.querySelectorAll(clickable)].filter(isShown)
  const nameOf = (element) => element.outerHTML.slice(0, 120) + ' ' + element.textContent.trim().slice(0, 30)
`

/** Measures how far from its middle an element, or its label, can be clicked. */
const hitArea = `
  const isHit = (element, x, y) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (element.contains(hit) || [...(element.labels ?? [])].some((label) => label.contains(hit)))
  }
  const reach = (element, dx, dy) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    let distance = 0
    while (distance < 60 && isHit(element, left + width / 2 + dx * (distance + 1), top + height / 2 + dy * (distance + 1))) distance += 1
    return distance
  }
  const sizeOf = (element) => {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    return [reach(element, -1, 0) + reach(element, 1, 0) + 1, reach(element, 0, -1) + reach(element, 0, 1) + 1]
  }
  // WCAG 2.5.8 excepts a link in a sentence: it is as high as its line.
  const isInSentence = (element) => {
    if (element.tagName !== 'A' && element.tagName !== 'BUTTON') return false
    if (getComputedStyle(element).display !== 'inline') return false
    const block = element.closest('p, li, dd, td, th, div')
    return block !== null && block.textContent.trim().length > element.textContent.trim().length + 3
  }
`

/** Expects every target to be at least 44 px (WCAG 2.5.5), on touch screens. */
export async function expectLargeTargets(page: Page) {
  const small = await page.evaluate<string[]>(`(() => {
    ${inPage} ${hitArea}
    const problems = targets()
      .filter((element) => !element.disabled && !isInSentence(element))
      .map((element) => ({ element, size: sizeOf(element) }))
      .filter(({ size: [width, height] }) => width < 43 || height < 43)
      .map(({ element, size }) => size.join(' x ') + ': ' + nameOf(element))
    scrollTo(0, 0)
    return problems
  })()`)
  expect.soft(small, `too small for a finger at ${page.url()}`).toEqual([])
}

/** Expects sticky elements to cover no focused one (WCAG 2.4.11). */
export async function expectVisibleFocus(page: Page) {
  const size = page.viewportSize()
  await page.setViewportSize({ width: size?.width ?? 390, height: 360 })
  const hidden = await page.evaluate<string[]>(`(() => {
    ${inPage}
    const problems = []
    const header = document.querySelector('header')
    // From the last to the first: on the way up an element ends below the navigation.
    for (const element of targets().reverse()) {
      element.focus()
      if (document.activeElement !== element || !element.closest('main')) continue
      const { top, bottom } = element.getBoundingClientRect()
      const edge = header ? Math.max(0, header.getBoundingClientRect().bottom) : 0
      // A tall element counts as visible if its end is visible.
      const fits = bottom - top < (innerHeight - edge) / 2
      if ((fits ? top : bottom) < edge - 1 || top > innerHeight) problems.push(Math.round(top) + ' < ' + Math.round(edge) + ': ' + nameOf(element))
    }
    document.activeElement?.blur()
    scrollTo(0, 0)
    return problems
  })()`)
  if (size) await page.setViewportSize(size)
  expect.soft(hidden, `focused and out of sight at ${page.url()}`).toEqual([])
}

/** Expects password managers and the clipboard to fill in passwords (WCAG 3.3.8). */
export async function expectPasteablePasswords(page: Page) {
  const rejected = await page.evaluate<string[]>(`(() => {
    ${inPage}
    return [...document.querySelectorAll('input[type=password]')].filter((input) => {
      const paste = new Event('paste', { bubbles: true, cancelable: true })
      return !input.dispatchEvent(paste) || !/password/.test(input.autocomplete)
    }).map(nameOf)
  })()`)
  expect.soft(rejected, `passwords that cannot be pasted at ${page.url()}`).toEqual([])
}

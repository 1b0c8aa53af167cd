import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync('apps/console/src/theme.css', 'utf8')
const docs = readFileSync('docs/design.md', 'utf8')

/**
 * The custom properties of the first rule with this selector.
 * @param {string} selector
 */
function tokensOf(selector) {
  const start = css.indexOf(`${selector} {`)
  const rule = css.slice(start, css.indexOf('}', start))
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** Everything that is declared: also for touch screens, for less motion and by Tailwind. */
const declared = [...css.matchAll(/--([\w-]+):\s+([^;]+);/g)].map(([, name = '', value = '']) => ({
  name,
  value,
}))
/** A custom property that only repeats another one, or a keyword, is no token. */
const tokens = declared
  .filter(({ value }) => !/^(var\(--[\w-]+\)|transparent|currentColor)$/.test(value))
  .map(({ name }) => name.replace(/^color-/, ''))

const light = tokensOf(':root')
const dark = tokensOf(':root[data-theme="dark"]')

/** @param {string | undefined} color such as #1c1c1a */
function luminance(color) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color?.slice(start, start + 2) ?? '', 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * The contrast ratio of WCAG 2.2.
 * @param {string | undefined} one
 * @param {string | undefined} other
 */
function contrast(one, other) {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const backgrounds = ['canvas', 'surface', 'raised', 'hover']
const tones = ['accent', 'danger', 'warning', 'success', 'info']

/** @type {(readonly [string, string, number])[]} */
const pairs = [
  ...['fg', 'muted', ...tones].flatMap((text) =>
    backgrounds.map((background) => /** @type {const} */ ([text, background, 4.5])),
  ),
  ...tones.flatMap((tone) =>
    [tone, 'fg', 'muted'].map((text) => /** @type {const} */ ([text, `${tone}-soft`, 4.5])),
  ),
  ...['canvas', 'surface'].map(
    (background) => /** @type {const} */ (['control-line', background, 3]),
  ),
  // The selected segment on the track of its control.
  /** @type {const} */ (['control-line', 'hover', 3]),
]

describe.each([
  ['light', light],
  ['dark', { ...light, ...dark }],
])('the %s theme', (_name, theme) => {
  it.each(pairs)('has %s on %s with a contrast of at least %d', (text, background, ratio) => {
    expect(contrast(theme[text], theme[background])).toBeGreaterThanOrEqual(ratio)
  })

  it.each(['accent-fill', 'accent-fill-hover', 'danger-fill', 'danger-fill-hover'])(
    'has white on %s with a contrast of at least 4.5',
    (fill) => {
      expect(contrast('#ffffff', theme[fill])).toBeGreaterThanOrEqual(4.5)
    },
  )
})

describe('docs/design.md', () => {
  it('is compared with every rule of the style sheet', () => {
    for (const token of [...Object.keys(light), ...Object.keys(dark), 'on-fill', 'font-sans'])
      expect(tokens).toContain(token)
  })

  it.each([...new Set(tokens)])('names the token %s', (token) => {
    expect(docs).toContain(`\`${token}\``)
  })

  it('names no removed token', () => {
    const table = docs.slice(docs.indexOf('| token |'), docs.indexOf('Each site has'))
    const named = [...table.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !tokens.includes(name))).toEqual([])
  })
})

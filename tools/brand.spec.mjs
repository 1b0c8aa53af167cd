import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { accentFill, colors } from '../apps/server/src/brand.ts'
import { markDigest } from '../apps/server/src/brand-mark.ts'
import { asHtml } from '../apps/server/src/modules/mail/mail.template.ts'

/** @param {string} file */
const pathsIn = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/\bd="(M[^"]+)"/g)].map(([, path]) => path)

const css = readFileSync('apps/console/src/theme.css', 'utf8')

/** @param {string} token The color of a token in the console: light, dark. */
const themed = (token) =>
  [...css.matchAll(new RegExp(`--${token}: (#\\w+);`, 'g'))].map(([, hex]) => hex)

// Emails and the server's pages cannot load the console's styles.
describe('the colors of the server', () => {
  it('has the accent of the filled buttons', () => {
    expect(css).toContain(`--accent-fill: ${accentFill};`)
  })

  it.each(Object.entries(colors))('has %s as the console has it', (token, values) => {
    expect(values).toEqual(themed(token))
  })
})

describe('an email', () => {
  const html = asHtml(
    {
      locale: 'en',
      kind: 'security',
      subject: 'A receipt',
      paragraphs: ['Hello,', 'Thank you.'],
      rows: [{ label: 'Total', value: '$12.50000', isTotal: true }],
      quote: 'A quote',
      action: { label: 'View', url: 'https://example.com' },
      note: 'A note',
      command: 'npm run operator',
    },
    'https://example.com',
  )
  const [, style = '', body = ''] = /<style>(.*?)<\/style>(.*)/s.exec(html) ?? []
  const dark = /@media \(prefers-color-scheme:dark\)\{(.*)\}/s.exec(style)?.[1] ?? ''

  it.each([
    ['canvas', 'background', 'canvas'],
    ['surface', 'background', 'surface'],
    ['surface', 'border-color', 'line'],
    ['line', 'border-color', 'line'],
    ['fg', 'color', 'fg'],
    ['muted', 'color', 'muted'],
    ['danger', 'color', 'danger'],
    ['success', 'color', 'success'],
    ['info', 'color', 'info'],
  ])('in a dark theme has .%s with the %s of the console’s --%s', (name, property, token) => {
    const [, rule = ''] = new RegExp(`\\.${name}\\{(.*?)\\}`).exec(dark) ?? []
    expect(rule.split(';')).toContain(`${property}:${themed(token)[1]}!important`)
  })

  it('has no color without a counterpart in a dark theme', () => {
    const tokens = ['canvas', 'surface', 'line', 'fg', 'muted', 'danger', 'success', 'info']
    const elements = [...body.matchAll(/<\w+[^>]*>/g)].map(([tag]) => tag)
    const colored = elements.filter((tag) => tag.includes('#') && !tag.includes(accentFill))
    // The label of the button is white in both themes.
    const themedElements = colored.filter((tag) => !tag.includes('color:#ffffff'))
    expect(themedElements.length).toBeGreaterThan(10)
    for (const tag of themedElements) {
      const classes = /class="([^"]*)"/.exec(tag)?.[1]?.split(' ') ?? []
      const covered = tokens.filter((token) => classes.includes(token))
      // A surface has a border.
      const values = [...covered, ...(covered.includes('surface') ? ['line'] : [])].map(
        (token) => themed(token)[0],
      )
      for (const [hex] of tag.matchAll(/#[0-9a-f]{6}\b/g)) expect(values, tag).toContain(hex)
    }
  })
})

describe('the pages of the site gateway', () => {
  const source = readFileSync('apps/server/src/gateway/problem-pages.ts', 'utf8')

  it.each([
    ['paper', 'canvas'],
    ['ink', 'fg'],
    ['soft', 'muted'],
  ])('have as --%s the console’s --%s, in both themes', (name, token) => {
    const colors = [...source.matchAll(new RegExp(`--${name}: (#\\w+)`, 'g'))].map(([, hex]) => hex)
    expect(colors).toEqual(themed(token))
  })
})

// Several files contain the mark's paths, because none can load them from another.
describe('the mark', () => {
  const paths = pathsIn('apps/console/public/favicon.svg')

  it.each([
    'apps/console/src/ui/mark.tsx',
    'apps/console/src/shell/connection/alert-favicon.ts',
    'apps/server/src/brand.ts',
  ])('is the same in %s as in the favicon', (file) => {
    expect(paths.length).toBeGreaterThan(0)
    expect(pathsIn(file)).toEqual(paths)
  })

  it('in emails is a picture of the current favicon', () => {
    const digest = createHash('sha256').update(paths.join(' ')).digest('hex')
    expect(markDigest).toBe(digest)
  })
})

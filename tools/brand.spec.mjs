import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { accentFill, colors } from '../apps/server/src/brand.ts'
import { markDigest } from '../apps/server/src/brand-mark.ts'

/** @param {string} file */
const pathsIn = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/\bd="(M[^"]+)"/g)].map(([, path]) => path)

const css = readFileSync('apps/console/src/theme.css', 'utf8')

// Emails and the server's pages cannot load the console's styles.
describe('the colors of the server', () => {
  it('has the accent of the filled buttons', () => {
    expect(css).toContain(`--accent-fill: ${accentFill};`)
  })

  it.each(Object.entries(colors))('has %s as the console has it', (token, values) => {
    const inCss = [...css.matchAll(new RegExp(`--${token}: (#\\w+);`, 'g'))].map(([, hex]) => hex)
    expect(values).toEqual(inCss)
  })
})

// Several files contain the mark's paths, because none can load them from another.
describe('the mark', () => {
  const paths = pathsIn('apps/console/public/favicon.svg')

  it.each([
    'apps/console/src/shell/layout/brand-mark.tsx',
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

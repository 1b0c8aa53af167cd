import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** @param {string} file */
const pathsIn = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/\bd="(M[^"]+)"/g)].map(([, path]) => path)

// The drawing is in the page, in its alert, in a file of its own and in the server's pages: none
// of them can load it from another.
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
})

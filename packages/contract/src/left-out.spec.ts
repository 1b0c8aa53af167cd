import { expect, test } from 'vitest'
import { isLeftOut } from './left-out.ts'

test.each([
  'site/.git/config',
  'node_modules/express/index.js',
  '.env',
  'site/.env.production',
  'css/.DS_Store',
])('%s is not deployed', (path) => {
  expect(isLeftOut(path)).toBe(true)
})

test.each(['index.html', '.well-known/security.txt', 'env', 'my.env', 'git/.gitkeep', '.htaccess'])(
  '%s is deployed',
  (path) => {
    expect(isLeftOut(path)).toBe(false)
  },
)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../root.ts'

const { devDependencies, dependencies } = JSON.parse(
  readFileSync(join(root, 'apps/server/package.json'), 'utf8'),
)
const rows = readFileSync(join(root, 'docs/clients.md'), 'utf8').matchAll(
  /^\| ([@\w/.-]+)[^|]* \| ([\d.]+) \|/gm,
)
const listed = Array.from(rows, ([, name = '', version = '']) => [name, version] as const)

describe('docs/clients.md', () => {
  it('lists eight libraries of npm', () => {
    expect(listed).toHaveLength(8)
  })

  it.each(listed)('lists %s in the installed version %s', (name, version) => {
    const installed = [dependencies[name], devDependencies[name], devDependencies[`${name}-5`]]
    expect(installed.map((each) => each?.replace(/^npm:.*@/, ''))).toContain(version)
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './command.mjs'

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

describe('npm run typecheck', () => {
  it('checks the projects of npm run check', () => {
    const checked = [...read('tools/check.mjs').matchAll(/'tsc', '-p', '(.+)'/g)]
    const { typecheck } = JSON.parse(read('package.json')).scripts
    const projects = [.../** @type {string} */ (typecheck).matchAll(/tsc -p (\S+)/g)]
    expect(projects.map(([, project]) => project)).toEqual(checked.map(([, project]) => project))
  })
})

describe('the architecture', () => {
  it('names every module of the server, and no other', () => {
    const [, table = ''] = read('docs/architecture.md').split('## The modules of the server')
    const rows = table.split('\n## ')[0]?.match(/^\| `.+$/gm) ?? []
    const named = rows.flatMap((row) => row.split(' | ')[0]?.match(/[a-z][a-z-]*/g) ?? [])
    expect(named.sort()).toEqual(readdirSync(join(root, 'apps/server/src/modules')).sort())
  })
})

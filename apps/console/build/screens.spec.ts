import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { screensOf } from './screens.ts'

describe('screensOf', () => {
  it('names the page of a path, every layout it stands in, and their modules once', () => {
    const router = fileURLToPath(new URL('../src/router.tsx', import.meta.url))
    expect(screensOf(readFileSync(router, 'utf8'))).toContainEqual({
      path: '/projects/view/$projectKey',
      layouts: ['withTeams', 'app', 'root'],
      modules: ['./features/projects/view-project.page.tsx', './shell/layout/signed-in.ts'],
    })
  })

  it('refuses a source without a route table', () => {
    expect(() => screensOf('const routes = []')).toThrow('The router has no route')
  })
})

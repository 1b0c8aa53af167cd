import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { locales } from '@slipway/phrases'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { layoutNamesFrom } from '../layouts/all-layouts.ts'
import { paths } from '../paths.ts'
import { createConsoleRouter } from '../router.tsx'
import { ancestorsOf, screens, screensByFile } from './all-screens.ts'
import { screenFiles } from './screen-files.ts'

const features = fileURLToPath(new URL('../features/', import.meta.url))
const { routesByPath } = createConsoleRouter(createMemoryHistory())
const patterns = Object.values(paths).flatMap((link) => ('pattern' in link ? [link.pattern] : []))

describe('all screens', () => {
  it('are those of the *.screen.ts files', () => {
    const files = globSync('**/*.screen.ts', { cwd: features })
    expect(files.length).toBeGreaterThan(20)
    expect(Object.keys(screensByFile).sort()).toEqual(
      files.map((file) => `../features/${file}`).sort(),
    )
  })

  it('have a page each', () => {
    const ofPages = globSync('**/*.page.tsx', { cwd: features })
    const ofScreens = globSync('**/*.screen.ts', { cwd: features })
    expect(ofScreens.map((file) => file.replace('.screen.ts', '.page.tsx')).sort()).toEqual(
      ofPages.sort(),
    )
  })

  it('are the same in the lists of the browser tests and benchmarks', async () => {
    expect(await screenFiles()).toEqual(
      [...screens].sort((one, other) => (one.path < other.path ? -1 : 1)),
    )
  })

  it('have a link each, and each link has a screen', () => {
    const all = [paths.home.pattern, ...screens.map(({ path }) => path)]
    expect(all.sort()).toEqual(patterns.sort())
  })

  it.each(screens)('$path is routed in its layouts', (screen) => {
    const route = (routesByPath as Record<string, { id: string }>)[screen.path]
    const layouts = layoutNamesFrom(screen.layout).map((name) => `${name}-layout`)
    expect(route?.id).toBe(`/${layouts.reverse().join('/')}${screen.path}`)
  })

  it.each(screens)('$path has a title in every language', ({ title }) => {
    for (const locale of locales) expect(title({}, { locale })).toMatch(/\S/)
  })

  it.each(screens.filter(({ parent }) => parent))(
    '$path has an existing screen as its parent',
    ({ parent }) => {
      expect(screens.map(({ path }) => path)).toContain(parent)
    },
  )

  it('have different positions in the palette', () => {
    const positions = screens.flatMap(({ palette }) =>
      palette ? [`${palette.kind} ${palette.position}`] : [],
    )
    expect(new Set(positions).size).toBe(positions.length)
  })
})

describe('ancestorsOf', () => {
  it('returns the screens above a screen, the outermost first', () => {
    const above = (path: string) =>
      screens.filter((screen) => screen.path === path).flatMap(ancestorsOf)
    expect(above(paths.payInvoices.pattern).map(({ path }) => path)).toEqual([
      paths.billing.pattern,
      paths.invoices.pattern,
    ])
    expect(above(paths.projects.pattern)).toEqual([])
  })
})

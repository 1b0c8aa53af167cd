import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMemoryHistory } from '@tanstack/react-router'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { earlyCallsOf } from './early-calls.ts'
import { screensOf } from './screens.ts'

const source = fileURLToPath(new URL('../src/router.tsx', import.meta.url))
const screens = screensOf(readFileSync(source, 'utf8'))
const ofApp = screens.filter(({ layouts }) => layouts.includes('app'))

const asked: string[] = []

beforeAll(() => {
  const kept: Record<string, string> = { token: 'mine' }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: () => undefined,
  })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url.replace(/^\/api/, ''))
    return Response.json(null)
  })
})

const sorted = (calls: string[]) => [...new Set(calls)].sort()

/** Begins the screen's own loaders, which the router runs while its code is on its way. */
async function load(path: string) {
  const [{ createConsoleRouter }, { queryClient }] = await Promise.all([
    import('../src/router.tsx'),
    import('../src/api/query-client.ts'),
    import('../src/shell/layout/signed-in.ts'),
  ])
  queryClient.clear()
  asked.length = 0
  const history = createMemoryHistory({ initialEntries: [path.replace(/\$\w+/, 'a-b')] })
  await createConsoleRouter(history).load()
}

describe('earlyCallsOf', () => {
  it('is about every screen of whoever is signed in', () => {
    expect(ofApp.length).toBeGreaterThan(10)
  })

  it.each(ofApp)('$path asks for exactly what the screen begins with', async (screen) => {
    const early = sorted(earlyCallsOf(screen).map((call) => call.replace('$1', 'a-b')))
    await load(screen.path)
    // The loaders do not wait for what they start.
    await vi.waitFor(() => expect(sorted(asked)).toEqual(early))
    await new Promise(setImmediate)
    expect(sorted(asked)).toEqual(early)
  })
})

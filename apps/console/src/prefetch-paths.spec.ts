import { createMemoryHistory } from '@tanstack/react-router'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { paramPlaceholder, prefetchPathsOf } from './prefetch-paths.ts'
import { screens } from './screens/all-screens.ts'
import { needsSession } from './screens/screen-facts.ts'

const signedInScreens = screens.filter(({ layout }) => needsSession(layout))

const requested: string[] = []

beforeAll(() => {
  const stored: Record<string, string> = { token: 'mine' }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored[key] ?? null,
    setItem: () => undefined,
  })
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url.replace(/^\/api/, ''))
    return Response.json(null)
  })
})

const sorted = (requests: string[]) => [...new Set(requests)].sort()

/** Starts the loaders of the screen and its layouts, as the router does while their chunks load. */
async function load(path: string) {
  const [{ createConsoleRouter }, { queryClient }] = await Promise.all([
    import('./router.tsx'),
    import('./api/query-client.ts'),
    import('./shell/layout/signed-in.ts'),
  ])
  queryClient.clear()
  requested.length = 0
  const history = createMemoryHistory({ initialEntries: [path.replace(/\$\w+/, 'a-b')] })
  await createConsoleRouter(history).load()
}

describe('prefetchPathsOf', () => {
  it('is tested with the screens of a signed-in user', () => {
    expect(signedInScreens.length).toBeGreaterThan(10)
  })

  it.each(signedInScreens)('$path prefetches the same paths as its loaders', async (screen) => {
    const prefetchPaths = sorted(
      prefetchPathsOf(screen).map((path) => path.replace(paramPlaceholder, 'a-b')),
    )
    await load(screen.path)
    // Loaders do not wait for their requests.
    await expect.poll(() => sorted(requested)).toEqual(prefetchPaths)
    await new Promise(setImmediate)
    expect(sorted(requested)).toEqual(prefetchPaths)
  })
})

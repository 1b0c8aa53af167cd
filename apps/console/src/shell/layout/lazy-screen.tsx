import { type ComponentType, use, useSyncExternalStore } from 'react'
import { LoadFailure } from '../errors/crash.tsx'
import { useLocale } from '../language/locale.ts'

type Screen = { Page: ComponentType }

/** The state of a chunk. `preload` loads it, and retries after a failure. */
function chunkOf(load: () => Promise<Screen>) {
  const listeners = new Set<() => void>()
  const chunk = {
    page: undefined as ComponentType | undefined,
    hasFailed: false,
    loading: undefined as Promise<void> | undefined,
    preload() {
      if (!chunk.page) chunk.loading ??= fetchPage()
      return chunk.loading
    },
    get: () => chunk.page,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }

  async function fetchPage() {
    try {
      chunk.page = (await load()).Page
    } catch {
      // `LazyScreen` reports it.
      chunk.hasFailed = true
    }
    chunk.loading = undefined
    for (const listener of listeners) listener()
  }

  return chunk
}

/** The page; it renders again when the language changes. */
function LazyScreen({ chunk }: { chunk: ReturnType<typeof chunkOf> }) {
  useLocale()
  const Page = useSyncExternalStore(chunk.subscribe, chunk.get, chunk.get)
  if (Page) return <Page />
  if (chunk.hasFailed) return <LoadFailure chunk={chunk} />
  const loading = chunk.preload()
  if (loading) use(loading)
  return null
}

/**
 * A page or layout in a separate chunk. If the chunk fails to load, an error with a retry replaces
 * the page; the layout and the URL stay. `preload` never rejects.
 */
export function lazyScreen(load: () => Promise<Screen>) {
  const chunk = chunkOf(load)
  return Object.assign(() => <LazyScreen chunk={chunk} />, { preload: chunk.preload })
}

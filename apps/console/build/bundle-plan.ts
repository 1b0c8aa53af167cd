import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locales, m } from '@slipway/phrases'
import type { Rolldown } from 'vite'
import { type BundlePlan, planId } from '../src/inline/bundle-plan.ts'
import type { ScreenRequests } from '../src/prerender.tsx'

type Bundle = Rolldown.OutputBundle
type Context = Pick<Rolldown.PluginContext, 'getModuleInfo'>

const screensFolder = fileURLToPath(new URL('../src/screens/', import.meta.url))

/** A file of the bundle and, recursively, the files that it imports. */
function withImports(bundle: Bundle, file: string, visited = new Set<string>()) {
  const chunk = bundle[file]
  if (visited.has(file) || chunk?.type !== 'chunk') return visited
  visited.add(file)
  for (const imported of chunk.imports) withImports(bundle, imported, visited)
  return visited
}

/** The chunk that a dynamic import of a module loads. */
function chunkOf(bundle: Bundle, id: string) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const chunk =
    // A module in a shared chunk may have a small chunk that re-exports it.
    chunks.find(({ facadeModuleId }) => facadeModuleId === id) ??
    chunks.find(({ moduleIds }) => moduleIds.includes(id))
  if (!chunk) throw new Error(`The build has no ${id}.`)
  return chunk.fileName
}

/** The code and data that the pages of this build request before the bundle runs. */
function bundlePlan(
  context: Context,
  bundle: Bundle,
  entry: string,
  screens: readonly ScreenRequests[],
): BundlePlan {
  const shared = withImports(bundle, entry)
  const filesOf = ({ modules }: ScreenRequests) => {
    const pages = modules.flatMap((module) => {
      const id = resolve(screensFolder, module)
      return context.getModuleInfo(id)?.dynamicallyImportedIds ?? []
    })
    const files = pages.flatMap((id) => [...withImports(bundle, chunkOf(bundle, id))])
    return [...new Set(files)].filter((file) => !shared.has(file))
  }
  const sizeOf = (file: string) => {
    const chunk = bundle[file]
    return chunk?.type === 'chunk' ? chunk.code.length : 0
  }
  const filesByScreen = new Map(screens.map((screen) => [screen, filesOf(screen)]))
  const files = [...new Set([...shared, ...[...filesByScreen.values()].flat()])].sort(
    (one, other) => sizeOf(other) - sizeOf(one),
  )
  return {
    apiBase: process.env.VITE_API_BASE ?? '/api',
    entry: `/${entry}`,
    shared: [...shared].filter((file) => file !== entry).map((file) => `/${file}`),
    files: files.map((file) => `/${file}`),
    screens: screens.map((screen) => ({
      pattern: `^(?:${screen.paths.map((path) => path.replace(/\$\w+/, '([^/]+)')).join('|')})/?$`,
      needsSession: screen.needsSession,
      files: (filesByScreen.get(screen) ?? []).map((file) => files.indexOf(file)),
      requests: screen.requests,
    })),
    texts: Object.fromEntries(
      locales.map((locale) => [
        locale,
        {
          retrying: m.navigation_bundle_retrying({}, { locale }),
          failed: m.navigation_bundle_failed({}, { locale }),
        },
      ]),
    ),
  }
}

export function planElement(...inputs: Parameters<typeof bundlePlan>) {
  const json = JSON.stringify(bundlePlan(...inputs)).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${planId}">${json}</script>`
}

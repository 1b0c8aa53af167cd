import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Alias, Plugin, Rolldown } from 'vite'
import type { Painted } from '../src/prerender.tsx'
import { earlyCallsOf } from './early-calls.ts'
import { prerenderPages } from './prerender.ts'
import { type Ahead, programScript } from './program-script.ts'
import { type ScreenModules, screensOf } from './screens.ts'

type Bundle = Rolldown.OutputBundle

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** Takes a tag out of the page wherever it stands, and gives the addresses it named. */
function take(page: string, tag: RegExp) {
  const addresses = [...page.matchAll(tag)].map(([, address = '']) => address)
  if (addresses.length === 0) throw new Error(`index.html has nothing like ${tag}.`)
  return { page: page.replace(tag, ''), addresses }
}

/** The style sheet, to stand in the page; it is no file of the build any more. */
function takeSheet(bundle: Bundle, name: string) {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`The build has no ${name}.`)
  delete bundle[name]
  return `<style>${String(sheet.source).trim()}</style>`
}

/** A file of the build, and all that it imports. */
function withImports(bundle: Bundle, file: string, found = new Set<string>()) {
  const chunk = bundle[file]
  if (found.has(file) || chunk?.type !== 'chunk') return found
  found.add(file)
  for (const imported of chunk.imports) withImports(bundle, imported, found)
  return found
}

/** For each path of the route table what its screen needs besides the files that are `known`. */
const aheadOf =
  (bundle: Bundle, known: Set<string>) =>
  (screen: ScreenModules): Ahead => {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const files = screen.modules.flatMap((module) => {
      const id = resolve(src, module)
      // A module of a larger file is imported by a small one of its own, which is not to come later.
      const chunk =
        chunks.find(({ facadeModuleId }) => facadeModuleId === id) ??
        chunks.find(({ moduleIds }) => moduleIds.includes(id))
      if (!chunk) throw new Error(`The build has no ${module}.`)
      return [...withImports(bundle, chunk.fileName)]
    })
    return {
      pattern: `^${screen.path.replace(/\$\w+/g, '([^/]+)')}/?$`,
      files: [...new Set(files)].filter((file) => !known.has(file)),
      calls: earlyCallsOf(screen),
      isOpen: !screen.layouts.includes('app'),
    }
  }

/** What the page's script shows where it fits: nothing of it is there before. */
function templateOf({ locale, at, who, screen, title, description, html }: Painted) {
  const facts = Object.entries({ at, who, screen, title, description }).map(([name, value]) =>
    value === undefined
      ? ''
      : ` data-${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  return `<template lang="${locale}"${facts.join('')}>${html}</template>`
}

const place = '<!--painted-->'

/**
 * Puts into the page what is shown before the program has come, and makes a page of its own for each
 * screen that is the same for all: see docs/decisions/0019.
 */
export const paintFirst = (alias: Alias[]): Plugin => ({
  name: 'paint-first',
  apply: 'build',
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const styled = take(html, /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/g)
      const started = take(styled.page, /\s*<script type="module"[^>]* src="([^"]+)"><\/script>/g)
      const { page, addresses } = take(
        started.page,
        /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g,
      )
      const [program = ''] = started.addresses
      const known = new Set([program, ...addresses].map((address) => address.slice(1)))
      const styles = styled.addresses.map((name) => takeSheet(bundle, name)).join('')
      const screens = screensOf(readFileSync(`${src}router.tsx`, 'utf8'))
      const sizeOf = (file: string) => {
        const chunk = bundle[file]
        return chunk?.type === 'chunk' ? chunk.code.length : 0
      }
      const ahead = screens.map(aheadOf(bundle, known))
      const script = programScript(program, addresses, ahead, sizeOf)
      return page
        .replace('</head>', () => `  ${styles}\n  </head>`)
        .replace('</body>', () => `  ${script}\n  </body>`)
    },
  },
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const index = bundle['index.html']
      if (index?.type !== 'asset') throw new Error('The build has no index.html.')
      const page = String(index.source)
      if (!page.includes(place)) throw new Error(`index.html has no ${place}.`)
      for (const { file, painted } of await prerenderPages(alias)) {
        const source = page.replace(place, () => painted.map(templateOf).join('\n    '))
        if (file === 'index.html') index.source = source
        else this.emitFile({ type: 'asset', fileName: file, source })
      }
    },
  },
})

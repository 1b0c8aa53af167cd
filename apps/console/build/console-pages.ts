import type { Plugin, Rolldown } from 'vite'
import type { PrerenderedHtml } from '../src/prerender.tsx'
import { planElement } from './bundle-plan.ts'
import { prerenderPages } from './prerender.ts'

/** Removes all matching tags from the page. Returns the page and the files that the tags name. */
function removeTags(page: string, tag: RegExp) {
  const files = [...page.matchAll(tag)].map(([, file = '']) => file)
  return { page: page.replace(tag, ''), files }
}

/** Turns the style sheet into a `<style>` element, and removes its file from the build. */
function inlineStyle(bundle: Rolldown.OutputBundle, name: string) {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`The build has no ${name}.`)
  delete bundle[name]
  return `<style>${String(sheet.source).trim()}</style>`
}

/** Preloads the font that every page uses: a font that arrives late is not used (`theme.css`). */
function fontPreload(bundle: Rolldown.OutputBundle) {
  const name = Object.keys(bundle).find((file) => /geist-latin-wght-[^/]+\.woff2$/.test(file))
  if (!name) throw new Error('The build has no font.')
  return `<link rel="preload" as="font" type="font/woff2" href="/${name}" crossorigin>`
}

/** A prerendered screen as a `<template>`, which browsers do not show. */
function templateElement({ locale, html, ...data }: PrerenderedHtml) {
  const attributes = Object.entries(data).map(([name, value]) =>
    value === undefined
      ? ''
      : ` data-${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  return `<template lang="${locale}"${attributes.join('')}>${html}</template>`
}

function replaceComment(page: string, comment: string, content: string) {
  if (!page.includes(comment)) throw new Error(`index.html has no ${comment}.`)
  return page.replace(comment, () => content)
}

/**
 * Throws if chunks import each other: a constant of one would be undefined while the other is
 * evaluated.
 */
function rejectChunkCycles(bundle: Rolldown.OutputBundle) {
  const finished = new Set<string>()
  function visit(name: string, path: readonly string[]) {
    if (path.includes(name))
      throw new Error(`Chunks import each other: ${[...path, name].join(', ')}`)
    if (finished.has(name)) return
    const chunk = bundle[name]
    if (chunk?.type === 'chunk') for (const next of chunk.imports) visit(next, [...path, name])
    finished.add(name)
  }
  for (const name of Object.keys(bundle)) visit(name, [])
}

/**
 * Inlines the styles and the bundle plan into the page, and emits a page for each prerendered
 * screen (docs/decisions/0019).
 */
export const consolePages = (): Plugin => ({
  name: 'console-pages',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const index = bundle['index.html']
      if (index?.type !== 'asset') throw new Error('The build has no index.html.')
      const style = removeTags(
        String(index.source),
        /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/g,
      )
      const script = removeTags(
        style.page,
        /\s*<script type="module"[^>]* src="\/([^"]+)"><\/script>/g,
      )
      const [entry = ''] = script.files
      rejectChunkCycles(bundle)
      const { pages, screens, withoutScripts } = await prerenderPages()
      const styles = style.files.map((name) => inlineStyle(bundle, name)).join('')
      const planned = replaceComment(
        script.page.replace('</head>', () => `  ${fontPreload(bundle)}\n  ${styles}\n  </head>`),
        '<!--bundle-plan-->',
        planElement(this, bundle, entry, screens),
      )
      const page = replaceComment(
        planned,
        '<!--noscript-->',
        `<noscript>${withoutScripts}</noscript>`,
      )
      for (const { file, prerendered } of pages) {
        const source = replaceComment(
          page,
          '<!--prerendered-->',
          prerendered.map(templateElement).join('\n    '),
        )
        if (file === 'index.html') index.source = source
        else this.emitFile({ type: 'asset', fileName: file, source })
      }
    },
  },
})

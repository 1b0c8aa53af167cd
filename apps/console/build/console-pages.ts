import type { Plugin, Rolldown } from 'vite'
import type { PrerenderedHtml } from '../src/prerender.tsx'
import { planElement } from './bundle-plan.ts'
import { prerenderPages } from './prerender.ts'

/** Takes a tag out of the page, wherever it is, and gives the files that it names. */
function takeTag(page: string, tag: RegExp) {
  const files = [...page.matchAll(tag)].map(([, file = '']) => file)
  return { page: page.replace(tag, ''), files }
}

/** The style sheet as an element of the page, and no longer a file of the build. */
function takeStyle(bundle: Rolldown.OutputBundle, name: string) {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`The build has no ${name}.`)
  delete bundle[name]
  return `<style>${String(sheet.source).trim()}</style>`
}

/** A prerendered screen in the page: a browser shows nothing of a template. */
function templateOf({ locale, html, ...data }: PrerenderedHtml) {
  const attributes = Object.entries(data).map(([name, value]) =>
    value === undefined
      ? ''
      : ` data-${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  return `<template lang="${locale}"${attributes.join('')}>${html}</template>`
}

/** Puts `content` in the place of a comment of `index.html`. */
function fill(page: string, comment: string, content: string) {
  if (!page.includes(comment)) throw new Error(`index.html has no ${comment}.`)
  return page.replace(comment, () => content)
}

/**
 * Completes the pages of the build: the styles and the plan of what to load are put into the page, and each
 * prerendered screen gets a page of its own (docs/decisions/0019).
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
      const style = takeTag(
        String(index.source),
        /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/g,
      )
      const preload = takeTag(style.page, /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g)
      const script = takeTag(
        preload.page,
        /\s*<script type="module"[^>]* src="\/([^"]+)"><\/script>/g,
      )
      const [entry = ''] = script.files
      const { pages, screens } = await prerenderPages()
      const styles = style.files.map((name) => takeStyle(bundle, name)).join('')
      const page = fill(
        script.page.replace('</head>', () => `  ${styles}\n  </head>`),
        '<!--bundle-plan-->',
        planElement(this, bundle, entry, screens),
      )
      for (const { file, prerendered } of pages) {
        const source = fill(page, '<!--prerendered-->', prerendered.map(templateOf).join('\n    '))
        if (file === 'index.html') index.source = source
        else this.emitFile({ type: 'asset', fileName: file, source })
      }
    },
  },
})

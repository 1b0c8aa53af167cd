import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const inline = {
  script: /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g,
  style: /<style[^>]*>([\s\S]*?)<\/style>/g,
}

/** CSP hashes of a page's inline scripts or styles, `'sha256-…'` (CSP Level 3 §8.3). */
export function inlineHashes(html: string, element: keyof typeof inline) {
  const hashes = [...html.matchAll(inline[element])].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  )
  return [...new Set(hashes)]
}

/** The built page of the console; undefined without a build, as in `npm run dev`. */
export function readConsolePage(folder: string) {
  const page = join(folder, 'index.html')
  return existsSync(page) ? readFileSync(page, 'utf8') : undefined
}

/** The prerendered screens, such as `auth/login`, by file name. */
const screensIn = (folder: string) =>
  globSync('**/*.html', { cwd: folder })
    .map((file) => file.replaceAll(sep, '/').replace(/\.html$/, ''))
    .filter((name) => name !== 'index')

/** All pages of the built console, concatenated. */
export const readConsolePages = (folder: string) =>
  globSync('**/*.html', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

/**
 * Serves the built console: its files, its prerendered screens, and its page for every other path
 * that a browser opens.
 */
export async function mountConsole(app: FastifyInstance, folder: string) {
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: false,
    // One route per file: a wildcard route would read the whole folder at each request to compare
    // the spelling of the name.
    wildcard: false,
    globIgnore: ['**/*.{br,gz}'],
    setHeaders(response, path) {
      const immutable = /[\\/]assets[\\/]/.test(path)
      response.header(
        'Cache-Control',
        immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.get('/', (_request, reply) => reply.sendFile('index.html'))
  for (const name of screensIn(folder))
    app.get(`/${name}`, (_request, reply) => reply.sendFile(`${name}.html`))
}

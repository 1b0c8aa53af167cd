import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { screensOf } from './screens.ts'

type Bundle = Rolldown.OutputBundle

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** Puts into the page what can be shown before the program has come. */
export const paintFirst: Plugin = {
  name: 'paint-first',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const { firstPaint } = await import('../src/first-paint.tsx')
      return html.replace('<!--first-paint-->', firstPaint())
    },
  },
}

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

/** For each path of the route table the files that its screen needs and that are not `known`. */
function filesOfScreens(bundle: Bundle, known: Set<string>) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  return screensOf(readFileSync(`${src}router.tsx`, 'utf8')).map(({ path, modules }) => {
    const files = modules.flatMap((module) => {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(resolve(src, module)))
      if (!chunk) throw new Error(`The build has no ${module}.`)
      return [...withImports(bundle, chunk.fileName)]
    })
    const pattern = path.replace(/\$\w+/g, '[^/]+')
    return [`^${pattern}/?$`, [...new Set(files)].filter((file) => !known.has(file))] as const
  })
}

/**
 * The page's last script: asks for the program, together with what the screen at this address needs,
 * instead of a round trip later. What is painted first has no need of it, so it is asked for after that;
 * at once where nothing is painted: in a page that nobody sees, and once the banner was agreed to.
 */
const programScript = (
  program: string,
  always: string[],
  screens: ReturnType<typeof filesOfScreens>,
) => {
  const files = [...new Set(screens.flatMap(([, files]) => files))]
  const table = screens
    .map(([pattern, own]) => [pattern, own.map((file) => files.indexOf(file))] as const)
    .filter(([, own]) => own.length > 0)
  return `<script>
      ;(() => {
        const run = () => {
          const files = ${JSON.stringify(files.map((file) => `/${file}`))}
          const guest = /^\\/(auth|terms|privacy)\\b/
          const { pathname } = location
          const path = pathname === '/' ? '/projects' : pathname
          const [, screen = []] =
            localStorage.getItem('token') || guest.test(path)
              ? ${JSON.stringify(table)}.find(([pattern]) => new RegExp(pattern).test(path)) ?? []
              : []
          for (const href of [...${JSON.stringify(always)}, ...screen.map((file) => files[file])])
            document.head.append(
              Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
            )
          import('${program}')
        }
        if (document.hidden || 'agreed' in document.documentElement.dataset) run()
        else requestAnimationFrame(() => setTimeout(run))
      })()
    </script>`
}

/** What is painted first waits for nothing but the page: see docs/decisions/0011. */
export const paintBeforeProgram: Plugin = {
  name: 'paint-before-program',
  apply: 'build',
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
      const script = programScript(program, addresses, filesOfScreens(bundle, known))
      return page.replace('</head>', () => `  ${styles}\n    ${script}\n  </head>`)
    },
  },
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { earlyCallsOf } from './early-calls.ts'
import { type ScreenModules, screensOf } from './screens.ts'

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

/** What the page can ask for before the program has come, for the screens that match `pattern`. */
type Ahead = { pattern: string; files: string[]; calls: string[] }

/** For each path of the route table what its screen needs besides the files that are `known`. */
const aheadOf = (bundle: Bundle, known: Set<string>) => (screen: ScreenModules) => {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const files = screen.modules.flatMap((module) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(resolve(src, module)))
    if (!chunk) throw new Error(`The build has no ${module}.`)
    return [...withImports(bundle, chunk.fileName)]
  })
  return {
    pattern: `^${screen.path.replace(/\$\w+/g, '([^/]+)')}/?$`,
    files: [...new Set(files)].filter((file) => !known.has(file)),
    calls: earlyCallsOf(screen),
  }
}

const apiBase = process.env.VITE_API_BASE ?? '/api'

/**
 * The page's last script: asks for the program, together with the files and the answers that the screen at
 * this address needs, instead of round trips later. What is painted first has no need of them, so they are
 * asked for after that; at once where nothing is painted: in a page that nobody sees, and once the banner
 * was agreed to. What is run in one go keeps a slow phone from answering, so each file has a task of its
 * own, the program, which is for the whole, the last.
 */
function programScript(program: string, always: string[], screens: Ahead[]) {
  const files = [...new Set(screens.flatMap((screen) => screen.files))]
  const calls = [...new Set(screens.flatMap((screen) => screen.calls))]
  const table = screens
    .filter((screen) => screen.files.length + screen.calls.length > 0)
    .map(({ pattern, files: own, calls: asked }) => [
      pattern,
      own.map((file) => files.indexOf(file)),
      asked.map((call) => calls.indexOf(call)),
    ])
  return `<script>
      ;(() => {
        const files = ${JSON.stringify(files.map((file) => `/${file}`))}
        const calls = ${JSON.stringify(calls.map((call) => apiBase + call))}
        const screens = ${JSON.stringify(table)}
        const run = () => {
          const path = location.pathname === '/' ? '/projects' : location.pathname
          const token = localStorage.getItem('token')
          const [pattern, needed, asked] = screens.find(([pattern]) => new RegExp(pattern).test(path)) ?? []
          const shows = pattern && (token || asked.length === 0)
          const parts = [...${JSON.stringify(always)}, ...(shows ? needed.map((file) => files[file]).reverse() : [])]
          for (const href of parts)
            document.head.append(
              Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
            )
          // One file is run at a time, so that the page can answer between them; who does not see it does
          // not press anything, and timers are slow there.
          const goOn = ([part, ...rest]) =>
            import(part)
              .catch(() => {})
              .then(() => {
                if (rest.length === 0) return
                if (document.hidden) goOn(rest)
                else setTimeout(() => goOn(rest))
              })
          goOn([...parts, '${program}'])
          if (!shows || asked.length === 0) return
          const headers = {
            Accept: 'application/json',
            'Accept-Language': document.documentElement.lang,
            Authorization: 'Bearer ' + token,
          }
          const answers = {}
          for (const call of asked) {
            const url = calls[call].replace('$1', path.match(pattern)[1])
            answers[url] = fetch(url, { headers })
            answers[url].catch(() => {})
          }
          globalThis.earlyAnswers = { token, answers }
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
      const screens = screensOf(readFileSync(`${src}router.tsx`, 'utf8'))
      const script = programScript(program, addresses, screens.map(aheadOf(bundle, known)))
      return page.replace('</head>', () => `  ${styles}\n    ${script}\n  </head>`)
    },
  },
}

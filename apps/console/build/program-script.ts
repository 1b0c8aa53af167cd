import { locales, m } from '@slipway/phrases'

/** What the page can ask for before the program has come, for the screens that match `pattern`. */
export type Ahead = {
  pattern: string
  files: string[]
  calls: string[]
  /** Whether the screen is for guests, too. */
  isOpen: boolean
}

/** What somebody is told when the program does not come: that it is asked for again, or that this is over. */
const troubleTexts = Object.fromEntries(
  locales.map((locale) => [
    locale,
    [m.navigation_program_waits({}, { locale }), m.navigation_program_failed({}, { locale })],
  ]),
)

const apiBase = process.env.VITE_API_BASE ?? '/api'

/**
 * The page's last script: asks for the program, together with the files and the answers that the screen at
 * this address needs, instead of round trips later. What is painted first has no need of them, so they are
 * asked for after that; at once where nothing is painted, or in a page that nobody sees. What is run in one
 * go keeps a slow phone from answering, so each file has a task of its own, the program, which is for the
 * whole, the last. A browser does not ask twice for a module that it could not get: the page is loaded
 * again once all of them are there.
 */
export function programScript(
  program: string,
  always: string[],
  screens: Ahead[],
  sizeOf: (file: string) => number,
) {
  const files = [...new Set(screens.flatMap((screen) => screen.files))]
  // The largest first: a browser has six connections to a server, and a large file is not to wait for one.
  const order = [...always, program, ...files.map((file) => `/${file}`)].sort(
    (a, b) => sizeOf(b.slice(1)) - sizeOf(a.slice(1)),
  )
  const calls = [...new Set(screens.flatMap((screen) => screen.calls))]
  const table = screens
    .filter((screen) => screen.files.length + screen.calls.length > 0)
    .map(({ pattern, files: own, calls: asked, isOpen }) => [
      pattern,
      own.map((file) => files.indexOf(file)),
      asked.map((call) => calls.indexOf(call)),
      isOpen,
    ])
  return `<script>
      ;(() => {
        const files = ${JSON.stringify(files.map((file) => `/${file}`))}
        const calls = ${JSON.stringify(calls.map((call) => apiBase + call))}
        const screens = ${JSON.stringify(table)}
        const order = ${JSON.stringify(order)}
        const run = () => {
          const path =
            globalThis.early?.screen ?? (location.pathname === '/' ? '/projects' : location.pathname)
          const token = localStorage.getItem('token')
          const [pattern, needed, asked, isOpen] = screens.find(([pattern]) => new RegExp(pattern).test(path)) ?? []
          const shows = pattern && (token || isOpen)
          const parts = [...${JSON.stringify(always)}, ...(shows ? needed.map((file) => files[file]).reverse() : [])]
          for (const href of order.filter((file) => file === '${program}' || parts.includes(file)))
            document.head.append(
              Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
            )
          // One file is run at a time, so that the page can answer between them; who does not see it does
          // not press anything, and timers are slow there.
          const goOn = ([part, ...rest]) => {
            const next = () => {
              if (document.hidden) goOn(rest)
              else setTimeout(() => goOn(rest))
            }
            if (rest.length > 0) import(part).then(next, next)
            else import(part).then(() => sessionStorage.removeItem('programReloads'), () => wait(1000))
          }
          let alert
          const say = (which) => {
            alert ??= document.body.appendChild(
              Object.assign(document.createElement('p'), {
                role: 'alert',
                // Classes that the program has, too: the style sheet is made of those of its files alone.
                className: 'fixed right-4 bottom-4 left-4 rounded-md border border-line bg-raised p-4 text-center elevated',
              }),
            )
            const text = ${JSON.stringify(troubleTexts)}[document.documentElement.lang][which]
            if (alert.textContent !== text) alert.textContent = text
          }
          const wait = (pause) => {
            const reloads = Number(sessionStorage.getItem('programReloads'))
            if (reloads >= 3) {
              sessionStorage.removeItem('programReloads')
              return say(1)
            }
            say(0)
            setTimeout(async () => {
              const asked = [...parts, '${program}'].map((file) => fetch(file, { cache: 'reload' }))
              const there = await Promise.all(asked).then((answers) => answers.every(({ ok }) => ok), () => false)
              if (!there) return wait(Math.min(2 * pause, 30_000))
              sessionStorage.setItem('programReloads', reloads + 1)
              location.reload()
            }, pause)
          }
          goOn([...parts, '${program}'])
          if (!shows || asked.length === 0) return
          const headers = {
            Accept: 'application/json',
            'Accept-Language': document.documentElement.lang,
            ...(token && { Authorization: 'Bearer ' + token }),
          }
          const answers = {}
          for (const call of asked) {
            const url = calls[call].replace('$1', path.match(pattern)[1])
            // A screen with a query of its own asks for something else.
            if (url.includes('?') && location.search) continue
            answers[url] = fetch(url, { headers })
            answers[url].catch(() => {})
          }
          globalThis.earlyAnswers = { token, answers }
        }
        if (document.hidden || !document.getElementById('root').hasChildNodes()) run()
        else requestAnimationFrame(() => setTimeout(run))
      })()
    </script>`
}

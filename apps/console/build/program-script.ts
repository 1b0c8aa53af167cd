/** What the page can ask for before the program has come, for the screens that match `pattern`. */
export type Ahead = {
  pattern: string
  files: string[]
  calls: string[]
  /** Whether the screen is for guests, too. */
  isOpen: boolean
}

const apiBase = process.env.VITE_API_BASE ?? '/api'

/**
 * The page's last script: asks for the program, together with the files and the answers that the screen at
 * this address needs, instead of round trips later. What is painted first has no need of them, so they are
 * asked for after that; at once where nothing is painted, or in a page that nobody sees. What is run in one go keeps a slow phone from answering, so each file has a task of its
 * own, the program, which is for the whole, the last.
 */
export function programScript(program: string, always: string[], screens: Ahead[]) {
  const files = [...new Set(screens.flatMap((screen) => screen.files))]
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
        const run = () => {
          const path =
            globalThis.early?.screen ?? (location.pathname === '/' ? '/projects' : location.pathname)
          const token = localStorage.getItem('token')
          const [pattern, needed, asked, isOpen] = screens.find(([pattern]) => new RegExp(pattern).test(path)) ?? []
          const shows = pattern && (token || isOpen)
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

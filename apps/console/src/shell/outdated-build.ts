/**
 * Loads the page anew when the server has another build by now, so that the files of this one are gone.
 * Once for each build: whatever the server then answers, it cannot go on for ever.
 */
export async function reloadOutdatedBuild() {
  const program = new URL(import.meta.url).pathname
  const mark = `outdated:${program}`
  if (sessionStorage.getItem(mark) !== null) return
  const answer = await fetch(location.href, { cache: 'no-store' })
  const page = await answer.text()
  // The page names its program; one without the root is not ours, but something in between.
  if (!answer.ok || !page.includes('id="root"') || page.includes(program)) return
  sessionStorage.setItem(mark, '')
  location.reload()
}

/** The server's page for this address, as it is now, and whether its program is the one that runs here. */
async function askForPage() {
  const program = new URL(import.meta.url).pathname
  const answer = await fetch(location.href, { cache: 'no-store' })
  const page = await answer.text()
  // The page names its program; one without the root is not ours, but something in between.
  return {
    program,
    isOurs: answer.ok && page.includes('id="root"'),
    isSame: page.includes(program),
  }
}

/**
 * Loads the page anew when the server has another build by now, so that the files of this one are gone.
 * Once for each build: whatever the server then answers, it cannot go on for ever.
 */
export async function reloadOutdatedBuild() {
  const { program, isOurs, isSame } = await askForPage()
  const mark = `outdated:${program}`
  if (!isOurs || isSame || sessionStorage.getItem(mark) !== null) return
  sessionStorage.setItem(mark, '')
  location.reload()
}

/**
 * Loads the page anew if the server has it: until 2026 a browser remembered that a file of code did not
 * come, and a document that had missed one never got it (https://github.com/whatwg/html/pull/10327).
 */
export async function reloadForgetful() {
  if ((await askForPage()).isOurs) location.reload()
}

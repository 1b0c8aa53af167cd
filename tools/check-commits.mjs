import { root, run } from './command.mjs'

/** The commits after this one follow Conventional Commits. */
const firstBase = 'f2860629d2133b3044dd2bfee67cf2b54de554ba'

/**
 * Checks the messages of the commits after `base`. Without the history, in a shallow clone or a
 * copy without Git, nothing can be checked: `skipped` has the reason. A full clone without the
 * commit fails.
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, base?: string }} [options]
 * @returns {Promise<{ code: number, output: string, skipped?: string }>}
 */
export async function checkCommits({ env, cwd = root, base = firstBase } = {}) {
  const git = (/** @type {string[]} */ ...args) =>
    run('git', args, { cwd }).catch(() => ({ code: 1, output: '' }))
  if ((await git('cat-file', '-e', base)).code === 0)
    return run('commitlint', ['--from', base], { env, cwd, shell: process.platform === 'win32' })
  const { code, output } = await git('rev-parse', '--is-shallow-repository')
  if (code !== 0) return { code: 0, output: '', skipped: 'this is not a Git repository' }
  if (output.trim() === 'true')
    return { code: 0, output: '', skipped: 'this clone is shallow; git fetch --unshallow' }
  return {
    code: 1,
    output: `The history lacks the commit ${base}, after which messages are checked.`,
  }
}

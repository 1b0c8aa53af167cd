import { availableParallelism } from 'node:os'
import { checkChangelog } from './check-changelog.mjs'
import { checkComments } from './check-comments.mjs'
import { checkCommits } from './check-commits.mjs'
import { checkPhrases } from './check-phrases.mjs'
import { run, runTool, say, seconds, ToolError } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run check`: every static check. Prints one line for each, and the output of those that fail.
await runTool(async () => {
  const { node, env } = await setUp()
  const types = await run(node, ['apps/server/src/testing/api-types.main.ts'], { env })
  if (types.code !== 0) throw new ToolError(types.output)
  const shell = process.platform === 'win32'
  const sources = ['apps', 'packages', 'e2e', 'bench', 'resilience', 'tools']
  const command =
    (/** @type {string} */ name, /** @type {string[]} */ ...args) =>
    () =>
      run(name, args, { env, shell })
  /** @type {[string, () => Promise<{ code: number, output: string, skipped?: string }>][]} */
  const checks = [
    ['types', command('tsc', '-p', 'tsconfig.json')],
    ['types of the console', command('tsc', '-p', 'apps/console')],
    ['types of the site', command('tsc', '-p', 'apps/site/src/browser')],
    ['format and lint', command('biome', 'check', '--error-on-warnings', '.')],
    ['imports', command('depcruise', ...sources)],
    [
      'folder cycles',
      command('depcruise', ...sources, '--config', '.dependency-cruiser.folders.mjs'),
    ],
    ['unused code', command('knip')],
    ['phrases', async () => failIfAny(await checkPhrases())],
    ['comments', async () => failIfAny(await checkComments())],
    ['changelog', async () => failIfAny(checkChangelog())],
    ['generated docs', command(node, 'tools/environment-docs.ts', '--check')],
    ['API document', command(node, 'tools/api-document.ts', '--check')],
    ['commit messages', () => checkCommits({ env })],
  ]
  /** @type {string[]} */
  const failures = []
  /** @type {string[]} */
  const warnings = []
  const runChecks = async () => {
    for (let check = checks.shift(); check; check = checks.shift()) {
      const [name, start] = check
      const started = performance.now()
      const { code, output, skipped } = await start()
      const result = code === 0 ? (skipped ? 'SKIPPED' : 'ok') : 'FAILED'
      say(`${name.padEnd(20)} ${result.padEnd(7)} ${seconds(performance.now() - started)}`)
      if (skipped) warnings.push(`\n${name} were not checked: ${skipped}`)
      if (code !== 0) failures.push(`\n--- ${name}\n${output.trim()}`)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism() - 1) }, runChecks))
  for (const text of [...warnings, ...failures]) say(text)
  return failures.length === 0 ? 0 : 1

  function failIfAny(/** @type {string[]} */ errors) {
    return { code: errors.length === 0 ? 0 : 1, output: errors.join('\n') }
  }
})

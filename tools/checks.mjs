import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { checkPhrases } from './check-phrases.mjs'
import { checkTracked } from './check-tracked.mjs'
import { root, run, say, seconds } from './command.mjs'

/**
 * Runs every check, says one line for each as it ends, and the whole output of those that failed.
 * @param {{ node: string, env: NodeJS.ProcessEnv }} tools
 * @returns {Promise<number>} how many failed
 */
export async function runChecks(tools) {
  const waiting = checksWith(tools)
  /** @type {{ name: string, output: string }[]} */
  const failed = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = performance.now()
      const { code, output } = await check.run()
      const result = code === 0 ? 'ok' : 'FAILED'
      say(`${check.name.padEnd(20)} ${result.padEnd(6)} ${seconds(performance.now() - started)}`)
      if (code !== 0) failed.push({ name: check.name, output })
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism() - 1) }, work))
  for (const { name, output } of failed) say(`\n--- ${name}\n${output.trim()}`)
  return failed.length
}

/**
 * The longest come first, so that none of them is left over at the end.
 * @param {{ node: string, env: NodeJS.ProcessEnv }} tools
 */
function checksWith({ node, env }) {
  const shell = process.platform === 'win32'
  const program = (/** @type {string} */ name, /** @type {string[]} */ ...args) => ({
    run: () => run(name, args, { env, shell }),
  })
  const biome = process.env.CI ? ['ci'] : ['check']
  return [
    { name: 'types', ...program('tsc', '-p', 'tsconfig.json') },
    { name: 'types of the console', ...program('tsc', '-p', 'apps/console') },
    { name: 'format and lint', ...program('biome', ...biome, '--error-on-warnings', '.') },
    { name: 'imports', ...program('depcruise', 'apps', 'packages') },
    {
      name: 'rings of folders',
      ...program('depcruise', 'apps', '--config', '.dependency-cruiser.folders.mjs'),
    },
    { name: 'unused code', ...program('knip') },
    { name: 'phrases', run: complaining(checkPhrases) },
    { name: 'tracked files', run: complaining(checkTracked) },
    {
      name: 'generated docs',
      run: () => run(node, [join(root, 'tools/environment-docs.ts'), '--check'], { env }),
    },
  ]
}

/** @param {() => Promise<string[]>} check */
const complaining = (check) => async () => {
  const complaints = await check()
  return { code: complaints.length === 0 ? 0 : 1, output: complaints.join('\n') }
}

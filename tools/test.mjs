import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { root, run, runTool, say, seconds, ToolError } from './command.mjs'
import { setUp } from './setup.mjs'

/**
 * @typedef {{ node: string, env: NodeJS.ProcessEnv }} Tools
 * @typedef {{ code: number, passed: number, failed: number, skipped: number }} Result
 */

// `npm test`: the checks, the unit and API tests, the browser tests; ends at the first stage that
// fails. `npm test -- --only=unit auth` runs one stage, with arguments of its own.
await runTool(async () => {
  const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
  const args = process.argv.slice(2).filter((arg) => !arg.startsWith('--only='))
  if (only && !(only in stages)) {
    throw new ToolError(`--only takes one of ${Object.keys(stages).join(', ')}.`)
  }
  if (args.length > 0 && !only) throw new ToolError('Arguments need a stage: --only=unit, say.')
  const tools = await setUp({ withConsole: only !== 'check' })
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })

  const lines = []
  const total = { passed: 0, failed: 0 }
  let exitCode = 0
  for (const name of only ? [only] : Object.keys(stages)) {
    say(`\n=== ${name}`)
    const started = performance.now()
    const { code, passed, failed, skipped } = await stages[name](tools, args)
    const duration = seconds(performance.now() - started)
    lines.push(
      `${name.padEnd(8)} ${(code === 0 ? 'ok' : 'FAILED').padEnd(6)} ${duration.padStart(8)}   ` +
        `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
    )
    total.passed += passed
    total.failed += failed
    exitCode = code
    if (code !== 0) break
  }
  say(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`)
  return exitCode
})

const results = join(root, 'node_modules/.cache/slipway/results')

/** @type {Record<string, (tools: Tools, args: string[]) => Promise<Result>>} */
const stages = {
  async check(tools) {
    const { runChecks } = await import('./checks.mjs')
    const failed = await runChecks(tools)
    // A check is no test: it counts only when it fails.
    return { code: failed === 0 ? 0 : 1, passed: 0, failed, skipped: 0 }
  },

  async unit({ node, env }, args) {
    const file = join(results, 'unit.json')
    const { code } = await run(
      node,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
        ...args,
      ],
      { env, show: true },
    )
    const report = read(file)
    return counted(code, {
      passed: report?.numPassedTests,
      failed: report?.numFailedTests,
      skipped: report && report.numPendingTests + report.numTodoTests,
    })
  },

  async browser({ node, env }, args) {
    const file = join(results, 'browser.json')
    const { code } = await run(
      node,
      [
        join(root, 'node_modules/@playwright/test/cli.js'),
        'test',
        '-c',
        'e2e',
        '--reporter=list,json',
        ...args,
      ],
      {
        env: { ...env, CHROMIUM_PATH: await findChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: file },
        show: true,
      },
    )
    const stats = read(file)?.stats
    return counted(code, {
      passed: stats?.expected,
      // A test that passes only when it is run again is a defect.
      failed: stats && stats.unexpected + stats.flaky,
      skipped: stats?.skipped,
    })
  },
}

/**
 * What broke before it could be counted has failed all the same.
 * @param {number} code
 * @param {{ passed?: number, failed?: number, skipped?: number }} counts
 * @returns {Result}
 */
function counted(code, { passed = 0, failed = 0, skipped = 0 }) {
  const broke = code !== 0 && failed === 0
  return { code: failed > 0 ? code || 1 : code, passed, failed: broke ? 1 : failed, skipped }
}

/** @param {string} file */
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

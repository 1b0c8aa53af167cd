import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runChecks } from './checks.mjs'
import { root, run } from './command.mjs'

/**
 * @typedef {{ node: string, env: NodeJS.ProcessEnv, chromium?: Promise<string> }} Tools
 * @typedef {{ code: number, passed: number, failed: number, skipped: number }} Result
 */

const results = join(root, 'node_modules/.cache/slipway/results')

/** Forgets what an earlier run has left, which must not be counted again. */
export function clearResults() {
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
}

/**
 * The stages of a test run, in their order.
 * @type {Record<string, (tools: Tools, args: string[]) => Promise<Result>>}
 */
export const stages = {
  async check(tools) {
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

  async browser({ node, env, chromium }, args) {
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
        env: { ...env, CHROMIUM_PATH: await chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
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

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { topicsOfChanges } from './changed-browser-tests.mjs'
import { findChromium } from './chromium.mjs'
import { root, run, runTool, say, seconds, ToolError } from './command.mjs'
import { setUp } from './setup.mjs'
import { countSkipped } from './skipped-tests.mjs'
import { readBaseCommit } from './test-arguments.mjs'
import { startTestCluster, stopTestCluster } from './test-cluster.mjs'

// `npm test`: the checks, the unit tests, those on a cluster (KUBECONFIG's, or the one that
// CLUSTER_UP starts), the browser tests, two minutes of fuzzing and two of faults. Stops at the
// first stage that fails.
// `npm test -- --changed` runs the tests of the changes since main, `--changed=<commit>` since
// another commit.
await runTool(async () => {
  const base = readBaseCommit(process.argv.slice(2))
  const { node, env } = await setUp()
  // A missing Chromium is installed while the other stages run.
  const chromium = findChromium()
  chromium.catch(() => undefined)
  const changed = base ? await changedFilesSince(base) : []
  const topics = topicsOfChanges(changed)
  const isServerChanged =
    !base || changed.some((path) => /^(apps\/server|packages\/contract|resilience)\//.test(path))
  const changedOption = base ? [`--changed=${base}`] : []
  let skippedStages = 0
  const reportFolder = join(root, 'node_modules/.cache/slipway/reports')
  const reports = {
    unit: join(reportFolder, 'unit.json'),
    browser: join(reportFolder, 'browser.json'),
  }
  await rm(reportFolder, { recursive: true, force: true })
  await mkdir(reportFolder, { recursive: true })
  /** @type {Record<string, () => Promise<string[] | undefined>>} */
  const stages = {
    check: async () => ['tools/check.mjs'],
    unit: async () => [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reports.unit}`,
      ...changedOption,
    ],
    kubernetes: async () => {
      if (!isServerChanged) return undefined
      const hasCluster = env.KUBECONFIG && env.KUBERNETES_TEST_IMAGE
      const reason = hasCluster ? null : await startTestCluster(node, env)
      if (reason === null)
        return ['node_modules/vitest/vitest.mjs', 'run', '-c', 'vitest.kubernetes.config.ts']
      skippedStages += 1
      say(`kubernetes skipped: ${reason}`)
      return undefined
    },
    browser: async () => {
      if (base && topics.length === 0) return undefined
      env.CHROMIUM_PATH = await chromium
      env.PLAYWRIGHT_JSON_OUTPUT_FILE = reports.browser
      const reporter = '--reporter=list,json'
      const folders = topics.map((topic) => `e2e/${topic}/`)
      return ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e', reporter, ...folders]
    },
    // The same seeds in every run make a failure repeatable.
    fuzz: async () =>
      isServerChanged ? ['resilience/fuzz/main.ts', '--minutes', '2', '--seed', '1'] : undefined,
    chaos: async () =>
      isServerChanged ? ['resilience/chaos/main.ts', '--minutes', '2', '--seed', '1'] : undefined,
  }
  for (const [name, stage] of Object.entries(stages)) {
    say(`\n=== ${name}`)
    const started = performance.now()
    const args = await stage()
    if (!args) continue
    const { code } = await run(node, args, { env, show: true })
    if (name === 'kubernetes') await stopTestCluster(env)
    say(`${name} ${code === 0 ? 'ok' : 'FAILED'} ${seconds(performance.now() - started)}`)
    if (code !== 0) return code
  }
  for (const [name, report] of Object.entries(reports)) {
    const count = await countSkipped(report)
    if (count > 0) say(`${count} ${name} tests skipped`)
  }
  if (skippedStages > 0) say(`${skippedStages} stage skipped`)
  return 0
})

/**
 * @param {string} base
 */
async function changedFilesSince(base) {
  const { code, output } = await run('git', ['diff', '--name-only', '--merge-base', base])
  if (code !== 0) throw new ToolError(output.trim())
  return output.split('\n').filter((path) => path !== '')
}

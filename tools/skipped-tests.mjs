import { readFile } from 'node:fs/promises'

/**
 * The number of skipped tests in a JSON report of Vitest or Playwright. 0 without a report: a stage
 * without tests writes none.
 * @param {string} path
 */
export async function countSkipped(path) {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return '{}'
  })
  const { numPendingTests = 0, stats = {} } = JSON.parse(text)
  return numPendingTests + (stats.skipped ?? 0)
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countSkipped } from './skipped-tests.mjs'

describe('the skipped tests of npm test', () => {
  it.each([
    ['Vitest', { numPassedTests: 5, numPendingTests: 3 }, 3],
    ['Playwright', { stats: { expected: 5, skipped: 2 } }, 2],
  ])('are counted in the report of %s', async (_tool, report, count) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-report-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'report.json'), JSON.stringify(report))
    expect(await countSkipped(join(folder, 'report.json'))).toBe(count)
  })

  it('are none in a stage without a report', async () => {
    expect(await countSkipped('/nowhere/report.json')).toBe(0)
  })
})

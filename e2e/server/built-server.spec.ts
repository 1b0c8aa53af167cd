import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { signUp } from '@slipway/contract/auth'
import { expectContrast } from '../harness/accessibility.ts'
import { createServer } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'

// Every browser test runs the built server. These test the parts that a bundle can break.

test.describe('API docs', () => {
  // Swagger UI adds a style element, which the policy of the page blocks.
  test.use({ expectedErrors: [/inline style|style-src-elem inline/] })

  test('the page shows the endpoints', async ({ page }) => {
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { name: /^Slipway/ })).toBeVisible()
    await expect(page.getByRole('button', { name: signUp.summary })).toBeVisible()
  })

  test('an open endpoint shows code samples in three languages', async ({ page }) => {
    await page.goto('/api/docs')
    await page.getByRole('button', { name: signUp.summary }).click()
    const samples = page.getByRole('region', { name: 'Code samples' })
    for (const [language, code] of [
      ['curl', 'curl --fail-with-body'],
      ['JavaScript', 'await fetch('],
      ['Python', 'requests.post('],
    ] as const) {
      await samples.getByRole('button', { name: language, exact: true }).click()
      await expect(samples).toContainText(code)
      await expect(samples).toContainText('/api/auth/email/sign-up')
    }
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`an open endpoint has readable colors in ${colorScheme} mode`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.goto('/api/docs')
      await page.getByRole('button', { name: signUp.summary }).click()
      await expect(page.getByText('Example Value').first()).toBeVisible()
      await expectContrast(page)
    })

  test('the page fits a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto('/api/docs')
    await expect(page.getByRole('button', { name: signUp.summary })).toBeVisible()
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(overflow).toBe(0)
  })
})

test('a stack trace in the log names the TypeScript source and its line', async ({
  browserName: _,
}, testInfo) => {
  const server = await createServer({ logFile: testInfo.outputPath('server.log') })
  // A file in place of the folder of the sites: the start fails in the hosting engine.
  await writeFile(join(server.dataDir, 'sites'), '')
  await expect(server.start()).rejects.toThrow(
    /"level":"fatal".*\/apps\/server\/src\/engines\/hosting\/local\/local-engine\.ts:\d+:\d+/,
  )
})

test('a stack trace through a package names the bundle, not another source', () => {
  const dist = new URL('../../apps/server/dist/', import.meta.url)
  const code = readFileSync(new URL('app.js', dist), 'utf8').split('\n')
  const map = new SourceMap(JSON.parse(readFileSync(new URL('app.js.map', dist), 'utf8')))
  const sourceAt = (line: number) =>
    (map.findEntry(line, 0) as { originalSource?: string }).originalSource
  const starts = code.flatMap((text, line) =>
    /^\/\/ \S+\/node_modules\//.test(text) ? [line + 1] : [],
  )
  expect(starts.length).toBeGreaterThan(100)
  expect(starts.filter((line) => sourceAt(line) !== undefined)).toEqual([])
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signUp } from '@slipway/contract/auth'
import { createServer } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'

// Every browser test runs the built server. These test what a bundle can break.

test.describe('API docs', () => {
  // Swagger UI adds a style element, which the policy of the page blocks.
  test.use({ expectedErrors: [/inline style|style-src-elem inline/] })

  test('the page shows the endpoints', async ({ page }) => {
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { name: /^Slipway/ })).toBeVisible()
    await expect(page.getByRole('button', { name: signUp.summary })).toBeVisible()
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

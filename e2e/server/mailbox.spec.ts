import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { expect, test } from '../harness/test.ts'

test('an email in the mailbox has its text beside it from 1,200 px, below it before', async ({
  page,
  t,
  newUser,
}) => {
  const { email } = await newUser({ verified: false })
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.goto('/mailbox')
  await page.getByRole('listitem').filter({ hasText: email }).getByRole('link').click()
  const frame = page.locator('iframe')
  const text = page.getByText(t(m.mail_verify_note))
  const boxes = async () => {
    const [html, plain] = [await frame.boundingBox(), await text.boundingBox()]
    if (!html || !plain) throw new Error('the email is not shown')
    return { html, plain }
  }
  const wide = await boxes()
  expect(wide.plain.x).toBeGreaterThanOrEqual(wide.html.x + wide.html.width)
  expect(wide.plain.y).toBeLessThan(wide.html.y + wide.html.height)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1199, height: 900 })
  const narrow = await boxes()
  expect(narrow.plain.y).toBeGreaterThanOrEqual(narrow.html.y + narrow.html.height)
  expect(narrow.plain.x).toBe(narrow.html.x)
})

import { m } from '@slipway/phrases'
import { heading, signIn } from './screens.ts'
import { expect, test } from './test.ts'

/**
 * A device on which the login page finds a session and every other page finds none: each sends people to
 * the other. It stands for whatever two screens may once disagree about.
 */
const disagree = `
  const { getItem } = Storage.prototype
  globalThis.disagrees = true
  Storage.prototype.getItem = function (key) {
    if (key !== 'token' || !disagrees) return getItem.call(this, key)
    return location.pathname === '/auth/login' ? 'nobody' : null
  }
`

test.describe('redirects without end', () => {
  test.use({ expectedErrors: [/Too many redirects/] })

  test('stop: the page says that something is wrong, and can be tried again', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    await page.addInitScript(disagree)
    await page.goto('/projects')
    await expect(heading(page, say(m.shell_crash))).toBeVisible()
    await page.evaluate('disagrees = false')
    await page.getByRole('button', { name: say(m.shell_retry) }).click()
    await expect(heading(page, say(m.projects_title))).toBeVisible()
  })
})

import { createTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

/** Matches the chunks of screens, and the chunk that all signed-in screens share. */
const screenChunk = /\/((?:[^/]+\.page|signed-in)-[^/]+\.js)$/

test.describe('a signed-in page', () => {
  test('requests the chunks of its screen before the bundle runs', async ({ page, t, newUser }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const { id } = await user.call(createTicket, {
      body: { subject: 'The shop is slow', message: 'Since this morning.' },
    })
    await storeSession(page, user)
    // The chunks of other screens are prefetched once the first one is rendered.
    await page.addInitScript(
      "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    )
    let hasBundle = false
    let requestedChunks: string[] = []
    let lateChunks: string[] = []
    page.on('request', (request) => {
      const [, file] = screenChunk.exec(request.url()) ?? []
      if (file !== undefined) (hasBundle ? lateChunks : requestedChunks).push(file)
    })
    // The bundle is delayed until the chunks of the screen are requested.
    await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
      await expect.poll(() => requestedChunks.length).toBe(2)
      hasBundle = true
      await route.continue()
    })
    for (const { path, title } of [
      { path: ticketPath(id), title: 'The shop is slow' },
      { path: '/projects', title: t(m.projects_title) },
      { path: `/teams/view/${team.id}`, title: team.name },
      { path: '/account/billing/overview', title: t(m.invoices_overview_title) },
    ]) {
      hasBundle = false
      requestedChunks = []
      lateChunks = []
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      expect(lateChunks, path).toEqual([])
    }
  })
})

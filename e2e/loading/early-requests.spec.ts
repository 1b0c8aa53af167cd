import { createTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { signIn } from '../harness/auth-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

/** The files of pages, and what all of them begin with. */
const ofScreens = /\/((?:[^/]+\.page|signed-in)-[^/]+\.js)$/

test.describe('a page of whoever is signed in', () => {
  test('asks for all that its screen is made of before the program has come', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const { id } = await user.call(createTicket, {
      body: { subject: 'The shop is slow', message: 'Since this morning.' },
    })
    await signIn(page, user)
    // The others are fetched ahead when the first one stands.
    await page.addInitScript(
      "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    )
    let hasProgram = false
    let early: string[] = []
    let late: string[] = []
    page.on('request', (request) => {
      const [, file] = ofScreens.exec(request.url()) ?? []
      if (file !== undefined) (hasProgram ? late : early).push(file)
    })
    // The program is held until the files of its screen are asked for.
    await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
      await expect.poll(() => early.length).toBe(2)
      hasProgram = true
      await route.continue()
    })
    for (const { path, title } of [
      { path: ticketPath(id), title: 'The shop is slow' },
      { path: '/projects', title: t(m.projects_title) },
      { path: `/teams/view/${team.id}`, title: team.name },
      { path: '/account/billing/overview', title: t(m.invoices_overview_title) },
    ]) {
      hasProgram = false
      early = []
      late = []
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      expect(late, path).toEqual([])
    }
  })
})

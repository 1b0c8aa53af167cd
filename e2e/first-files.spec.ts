import { createTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { ownTeam } from './person.ts'
import { heading, signIn } from './screens.ts'
import { ticketPath } from './support-screens.ts'
import { expect, test } from './test.ts'

/** The pages and layouts that were asked for when the program had come: a round trip later than the rest. */
const lateFiles = `
  (() => {
    const files = performance.getEntriesByType('resource').filter(({ name }) => /\\/assets\\/.*\\.js$/.test(name))
    const program = files.find(({ name }) => /\\/index-[^/]+\\.js$/.test(name))
    if (!program) throw new Error('the program was not asked for')
    return files
      .filter(({ name, startTime }) => /\\.(layout|page)-/.test(name) && startTime > program.responseEnd)
      .map(({ name }) => name.split('/').at(-1))
  })()
`

test.describe('a page of whoever is signed in', () => {
  test('asks for all that its screen is made of before the program has come', async ({
    page,
    say,
    newPerson,
  }) => {
    const person = await newPerson()
    const team = await ownTeam(person)
    const { id } = await person.call(createTicket, {
      body: { subject: 'The shop is slow', message: 'Since this morning.' },
    })
    await signIn(page, person)
    // The others are fetched ahead when the first one stands.
    await page.addInitScript(
      "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    )
    for (const { path, title } of [
      { path: ticketPath(id), title: 'The shop is slow' },
      { path: '/projects', title: say(m.projects_title) },
      { path: `/teams/view/${team.id}`, title: team.name },
      { path: '/account/billing/overview', title: say(m.invoices_overview_title) },
    ]) {
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      expect(await page.evaluate(lateFiles), path).toEqual([])
    }
  })
})

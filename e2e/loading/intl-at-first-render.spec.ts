import { createTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { insertProject } from '../harness/database.ts'
import { everyLocale } from '../harness/locales.ts'
import { ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

/** Records each `Intl` object that the page creates, except the plural rules of Paraglide. */
const recordFormats = `
  globalThis.formats = []
  for (const kind of ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat', 'ListFormat', 'Collator'])
    Intl[kind] = new Proxy(Intl[kind], {
      construct: (Constructor, args, target) => {
        globalThis.formats.push(kind + ' ' + JSON.stringify(args))
        return Reflect.construct(Constructor, args, target)
      },
    })
`

for (const locale of everyLocale)
  test.describe(`a page in ${locale}`, () => {
    test.use({ locale })

    test('creates no Intl object twice while it loads: they are slow on a phone', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const team = await ownTeam(user)
      const oldDate = new Date('2026-01-05T09:30:00Z')
      await insertProject(database, {
        teamId: team.id,
        state: 'failed_creating',
        name: 'Old Mill',
        createdAt: oldDate,
      })
      const { id } = await user.call(createTicket, {
        body: { subject: 'The shop is slow', message: 'Since this morning.' },
      })
      await database.pool.query(
        "update support_tickets set updated_at = now() - interval '30 days' where id = $1",
        [id],
      )
      await database.pool.query(
        "update support_messages set created_at = now() - interval '30 days' where ticket_id = $1",
        [id],
      )
      await storeSession(page, user)
      await page.addInitScript(recordFormats)
      const shown = [
        { path: ticketPath(id), text: 'Since this morning.' },
        { path: '/support/tickets', text: 'The shop is slow' },
        { path: '/projects', text: 'Old Mill' },
        { path: '/teams', text: team.name },
        { path: `/teams/view/${team.id}`, text: t(m.teams_alone) },
      ]
      const all: string[] = []
      for (const { path, text } of shown) {
        await page.goto(path)
        await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
        const formats = (await page.evaluate('globalThis.formats')) as string[]
        expect([...new Set(formats)], path).toEqual(formats)
        all.push(...formats)
      }
      expect(all).not.toEqual([])
    })
  })

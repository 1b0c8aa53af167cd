import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { insertProject, joinTeam } from '../harness/database.ts'
import { testedLocales } from '../harness/locales.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

for (const locale of testedLocales)
  test.describe(`the projects at every width, in ${locale}`, () => {
    test.use({ locale })

    test('do not scroll sideways, and no button covers an id', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const team = await ownTeam(user)
      const otherTeam = await ownTeam(await newUser({ name: 'Konstantinos Papadopoulos-Öztürk' }))
      await joinTeam(database, { userId: team.userId, teamId: otherTeam.id })
      const names = [
        'Harbour Cafe',
        'Verwaltungsgerichtsverfahrensbeschleunigungsgesetz',
        'Old Mill Museum by the river',
      ]
      // The reconciler leaves these projects alone.
      const states = [
        { state: 'ready', power: 'stopped', appliedGeneration: 1 },
        { state: 'failed_creating' },
        { state: 'failed_creating' },
      ] as const
      for (const [index, state] of states.entries())
        await insertProject(database, {
          teamId: index % 2 ? team.id : otherTeam.id,
          ...state,
          name: names[index],
        })
      await storeSession(page, user)
      await page.goto('/projects')
      const table = page.getByRole('table', { name: t(m.projects_list_caption) })
      await expect(table).toBeVisible()
      for (const width of [320, 390, 639, 640, 700, 768, 900, 1024, 1200, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const overflow = await table.evaluate((element) => {
          const frame = element.parentElement ?? element
          return [
            frame.scrollWidth - frame.clientWidth,
            document.documentElement.scrollWidth - innerWidth,
          ]
        })
        expect(overflow, `beyond the table and the page at ${width} px`).toEqual([0, 0])
        const ids = await table.evaluate((element) =>
          [...element.querySelectorAll('td:has(button) [title]:not(button)')].map((idElement) => {
            const button = idElement.closest('td')?.querySelector('button')
            const { right, width } = idElement.getBoundingClientRect()
            const isCovered = right > (button?.getBoundingClientRect().left ?? 0)
            return { isVisible: width > 0, isCovered }
          }),
        )
        const covered = ids.filter(({ isVisible, isCovered }) => isVisible && isCovered)
        expect(covered, `ids that their buttons cover at ${width} px`).toEqual([])
        const visible = ids.filter(({ isVisible }) => isVisible)
        if (width === 1440) expect(visible).toHaveLength(states.length)
      }
    })
  })

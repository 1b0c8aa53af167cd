import { listRegistries } from '@slipway/contract/registries'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { expectIntactLayout } from '../harness/layout.ts'
import { watchPendingCalls } from '../harness/pending-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { addMember, clickRowAction, invite, row } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

const screens = [
  {
    path: () => '/teams',
    call: listTeams,
    item: (t: Translate) => t(m.teams_item_list),
    table: (t: Translate) => t(m.teams_list_caption),
  },
  {
    path: (id: string) => `/teams/view/${id}`,
    call: viewTeam,
    item: (t: Translate) => t(m.teams_item_team),
    table: (t: Translate) => t(m.teams_users),
  },
  {
    path: () => '/teams/invitations',
    call: listInvitations,
    item: (t: Translate) => t(m.teams_item_invitations),
    table: (t: Translate) => t(m.teams_invitations_caption),
  },
]

for (const { path, call, item, table } of screens)
  test.describe(path('{id}'), () => {
    test('shows a skeleton of its shape while loading, and can be retried after a failure', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      await addMember(user, await newUser())
      await invite(await newUser(), user)
      const { id } = await ownTeam(user)
      const pattern = `**/api${call.path.replace(':id', '*')}`
      const delay = Promise.withResolvers<void>()
      const waitUntilUpToDate = watchPendingCalls(page)
      await page.route(pattern, async (route) => {
        await delay.promise
        await route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } })
      })
      await storeSession(page, user)
      await page.goto(path(id))
      const tableElement = page.getByRole('table', { name: table(t) })
      await expect(tableElement).toHaveAttribute('aria-busy', 'true')
      await expectAccessible(page)
      delay.resolve()
      const failure = page.getByRole('alert')
      await expect(failure).toContainText(t(m.shell_loading_failed, { item: item(t) }))
      await expect(failure).toContainText(t(m.error_too_many_requests))
      await expectAccessible(page)
      await waitUntilUpToDate(t)
      await page.unroute(pattern)
      await page.getByRole('button', { name: t(m.shell_retry) }).click()
      await expect(tableElement.getByRole('rowheader').first()).toBeVisible()
    })
  })

test.describe('/teams', () => {
  test('has a tile in each row, and on a phone two lines', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const { name } = await addMember(owner, await newUser())
    await storeSession(page, owner)
    await page.goto('/teams')
    const tile = row(page, name).locator('[data-initials]')
    await expect(tile).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(tile).toBeVisible()
    const link = await row(page, name).getByRole('link', { name }).boundingBox()
    const role = row(page, name).getByText(t(m.teams_owner)).filter({ visible: true })
    await expect(role).toHaveCount(1)
    expect((await role.boundingBox())?.y).toBeGreaterThanOrEqual(
      (link?.y ?? 0) + (link?.height ?? 0) - 1,
    )
    expect((await row(page, name).boundingBox())?.height).toBeLessThan(80)
    await expectAccessible(page)
    await row(page, name).click({ position: { x: 380 - 40, y: 10 } })
    await expect(heading(page, name)).toBeVisible()
  })
})

test.describe('/teams/view/{id}', () => {
  test.describe('while the registries are requested again', () => {
    test.use({ expectedErrors: [/status of 503/] })

    test('shows the activity', async ({ page, t, newUser }) => {
      const user = await newUser()
      const { id } = await ownTeam(user)
      const retry = Promise.withResolvers<void>()
      let requests = 0
      await page.route(`**/api${listRegistries.path.replace(':id', id)}`, async (route) => {
        requests++
        if (requests > 1) await retry.promise
        await route.fulfill({ status: 503, json: { code: 503, error: 'unavailable' } })
      })
      await storeSession(page, user)
      await page.goto(`/teams/view/${id}`)
      const activity = page.getByRole('region', { name: t(m.activity_title) })
      await expect(activity.getByRole('listitem')).toHaveCount(1)
      retry.resolve()
    })
  })

  test('reports an invalid id and a team of other users as missing', async ({
    page,
    t,
    newUser,
  }) => {
    const { id } = await ownTeam(await newUser())
    await storeSession(page, await newUser())
    for (const missing of [id, 'no-such-team']) {
      await page.goto(`/teams/view/${missing}`)
      await expect(page.getByText(t(m.teams_missing, { id: missing }))).toBeVisible()
      await expectAccessible(page)
    }
    await page.getByRole('link', { name: t(m.teams_show_all) }).click()
    await expect(heading(page, t(m.teams_title))).toBeVisible()
  })

  test('breaks no word because of a long name, and an email address only at its punctuation', async ({
    page,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    const { id } = await addMember(owner, await newUser({ name: 'W'.repeat(100) }))
    const email = `somebody.${id.replaceAll('-', '')}@example.com`
    await invite(owner, { email })
    await page.setViewportSize({ width: 1440, height: 900 })
    await storeSession(page, owner)
    await page.goto(`/teams/view/${id}`)
    const self = row(page, t(m.teams_you, { name: owner.name }))
    await expect(self.locator('[data-initials]')).not.toHaveAttribute('data-initials', /\(/)
    const times = page.getByRole('table', { name: t(m.teams_users) }).locator('time')
    await expect(times).toHaveCount(2)
    for (const time of await times.all())
      expect(await time.evaluate((element) => element.getClientRects().length)).toBe(1)
    const parts = await page
      .getByRole('rowheader', { name: email })
      .locator('span:has(wbr)')
      .last()
      .evaluate((element) => element.innerHTML.split('<wbr>'))
    expect(parts).toEqual([expect.any(String), expect.any(String), '@example.com'])
  })

  test('has two lines for each member on a phone, and a menu', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const name = 'Somebody whose name is as long as names become when nobody stops them from it'
    const team = await addMember(owner, await newUser({ name }))
    const invited = `${'long.'.repeat(5)}${team.id.replaceAll('-', '')}@example.com`
    await invite(owner, { email: invited })
    await page.setViewportSize({ width: 390, height: 844 })
    await storeSession(page, owner)
    await page.goto(`/teams/view/${team.id}`)
    await expect(row(page, name)).toBeVisible()
    await expectIntactLayout(page, 'on a phone')
    for (const [title, role, action] of [
      [name, t(m.teams_joined), t(m.teams_remove)],
      [invited, t(m.teams_invited), t(m.teams_cancel)],
    ] as const) {
      const member = row(page, title)
      expect((await member.boundingBox())?.height).toBeLessThan(80)
      const texts = [
        member.getByText(title, { exact: true }),
        member.getByText(role).filter({ visible: true }),
      ]
      const [nameBox, roleBox] = await Promise.all(texts.map((text) => text.boundingBox()))
      const middleOf = (box: typeof nameBox) => (box?.y ?? 0) + (box?.height ?? 0) / 2
      expect(Math.abs(middleOf(nameBox) - middleOf(roleBox))).toBeLessThan(3)
      await expect(member.locator('time').filter({ visible: true })).toHaveCount(1)
      await clickRowAction(page, t, title, action)
      const confirmation = page.getByRole('alertdialog')
      await expect(confirmation).toContainText(title)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(confirmation).toBeHidden()
      await expect(member.getByRole('button')).toBeFocused()
    }
    await expectAccessible(page)
  })
})

import { listRegistries } from '@slipway/contract/registries'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { watchPendingCalls } from '../harness/pending-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { addMember, invite, row } from '../harness/team-screens.ts'
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
    const ownership = row(page, name).getByText(t(m.teams_owner)).filter({ visible: true })
    await expect(ownership).toHaveCount(1)
    expect((await ownership.boundingBox())?.y).toBeGreaterThanOrEqual(
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

  test('is a list of cards on a phone, with their buttons', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const name = 'Somebody whose name is as long as names become when nobody stops them from it'
    const team = await addMember(owner, await newUser({ name }))
    const invited = `${'long.'.repeat(5)}${team.id.replaceAll('-', '')}@example.com`
    await invite(owner, { email: invited })
    await page.setViewportSize({ width: 390, height: 844 })
    await storeSession(page, owner)
    await page.goto(`/teams/view/${team.id}`)
    for (const [title, button] of [
      [name, t(m.teams_remove_named, { name })],
      [invited, t(m.teams_cancel_named, { email: invited })],
    ] as const) {
      const card = await row(page, title).boundingBox()
      const box = await page.getByRole('button', { name: button }).boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
        (card?.x ?? 0) + (card?.width ?? 0),
      )
      expect(card?.width).toBeLessThanOrEqual(390)
    }
    await expectAccessible(page)
  })
})

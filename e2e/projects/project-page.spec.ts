import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { getActiveInvoice } from '@slipway/contract/invoices'
import { hour } from '@slipway/contract/limits'
import { listProjects, viewProject } from '@slipway/contract/projects'
import { listReleases, type Release, type ReleaseId } from '@slipway/contract/releases'
import { inviteToTeam } from '@slipway/contract/teams'
import { formatCharge, m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import * as trafficStore from '../../apps/server/src/modules/traffic/traffic.store.ts'
import { bucketOf, timeBuckets } from '../../apps/server/src/modules/traffic/traffic.times.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertDomain, insertPicture, joinTeam, type TestDatabase } from '../harness/database.ts'
import { colorOf } from '../harness/element-color.ts'
import { insertOwnProject, projectRow, selectRegion } from '../harness/project-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { textsIn } from '../harness/texts.ts'
import { newEmail, ownTeam } from '../harness/user.ts'

type Browser = { getComputedStyle: (element: unknown) => { backgroundColor: string } }

/** The texts of the elements with a background of this color. */
const textsWithBackground = (elements: { textContent: string | null }[], color: string) => {
  const { getComputedStyle } = globalThis as unknown as Browser
  return elements
    .filter((element) => getComputedStyle(element).backgroundColor === color)
    .map(({ textContent }) => textContent)
}

/** Stores requests of visitors in this hour. */
async function insertRequests({ db }: TestDatabase, key: string, requests: number) {
  const times: number[] = Array(timeBuckets).fill(0)
  times[bucketOf(12)] = requests
  const thisHour = {
    key,
    hour: Math.floor(Date.now() / hour) * hour,
    statuses: [0, requests, 0, 0, 0],
    bytes: requests * 14_000,
    times,
    visitors: [1],
  }
  await db.transaction((tx) =>
    trafficStore.addBatch(tx, { writer: randomUUID(), number: 1, now: new Date() }, [thisHour]),
  )
}

const checkedRelease = {
  id: randomUUID() as ReleaseId,
  number: 1,
  runtime: 'static',
  state: 'checking',
  failure: null,
  failureDetail: null,
  source: 'upload',
  rollbackOf: null,
  isCurrent: false,
  image: null,
  createdBy: null,
  archiveBytes: 4_200_000,
  files: null,
  bytes: null,
  changes: null,
  warnings: 0,
  createdAt: new Date().toISOString(),
  finishedAt: null,
} satisfies Release

test.describe('/projects/view/{key}', () => {
  test('names the team of the project and links to it', async ({ page, newUser }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const { key, name } = await createReadyProject(user, 'Harbour Cafe')
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    await expect(heading(page, name)).toBeVisible()
    await page.getByRole('definition').getByRole('link', { name: team.name }).click()
    await expect(heading(page, team.name)).toBeVisible()
    await expect(page).toHaveURL(`/teams/view/${team.id}`)
  })

  test('shows its owner the cost of the month and the forecast, and a member that the owner pays', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const { id, key } = await createReadyProject(user, 'Harbour Cafe')
    const { projects } = await user.call(getActiveInvoice)
    const cost = projects.find(({ projectId }) => projectId === id)
    const [amount, expected] = [cost?.amount ?? '', cost?.expected ?? '']
    expect(amount).toMatch(/[1-9]/)
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    const fact = page.getByText(t(m.projects_cost), { exact: true }).locator('..')
    await expect(fact).toContainText(formatCharge(amount, t.locale))
    // On the last day of a month nothing may follow.
    await expect(fact).toContainText(
      amount === expected
        ? t(m.projects_cost_complete)
        : t(m.projects_cost_expected, { amount: formatCharge(expected, t.locale) }),
    )

    const member = await newUser()
    await joinTeam(database, { userId: (await ownTeam(member)).userId, teamId: team.id })
    await storeSession(page, member)
    await page.goto(`/projects/view/${key}`)
    await expect(fact).toContainText(t(m.projects_cost_owner))
    await expect(fact).not.toContainText('$')
  })

  test('shows the requests of the last 24 hours, which lead to the traffic', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user, { state: 'ready' })
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    const card = page.getByRole('region', { name: t(m.projects_traffic) })
    await expect(card).toContainText(t(m.traffic_none))
    await insertRequests(database, key, 1234)
    await page.reload()
    await expect(card).toContainText(t(m.projects_requests, { count: 1234, requests: '1,234' }))
    await card.getByRole('link', { name: t(m.projects_traffic_view) }).click()
    await expect(page).toHaveURL(`/projects/view/${key}/traffic`)
  })

  test('has a green dot beside the address of a live site, and one filled button, which opens it', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const live = await createReadyProject(user, 'Harbour Cafe')
    const failed = await insertOwnProject(database, user)
    await storeSession(page, user)
    const main = page.getByRole('main')
    /** The dot before the address. */
    const dotOf = ({ defaultUrl }: Pick<typeof live, 'defaultUrl'>) =>
      main
        .locator('p')
        .filter({ hasText: new URL(defaultUrl).host })
        .locator('span')
        .first()
    const fill = 'rgb(11, 107, 117)'

    await page.goto(`/projects/view/${live.key}`)
    expect(await colorOf(dotOf(live), 'backgroundColor')).toBe('green')
    const visit = page.getByRole('link', { name: t(m.projects_visit_named, { name: live.name }) })
    await expect(visit).toHaveCSS('background-color', fill)
    await expect(main.getByRole('heading', { name: t(m.projects_traffic) })).toBeVisible()
    const filled = await main.locator('a, button').evaluateAll(textsWithBackground, fill)
    expect(filled).toEqual([await visit.textContent()])

    await page.goto(`/projects/view/${failed.key}`)
    const { defaultUrl } = await user.call(viewProject, { params: { key: failed.key } })
    expect(await colorOf(dotOf({ defaultUrl }), 'backgroundColor')).toBe('gray')
  })

  test('begins with the deployment before the first release: its button is the filled one, and the dot is gray', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const values = { runtime: 'static', state: 'ready', name: 'Old Mill' } as const
    const { key } = await insertOwnProject(database, user, values)
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    const main = page.getByRole('main')
    const deployment = main.getByRole('group', { name: t(m.release_deploy) })
    await expect(deployment.getByRole('heading')).toHaveText(t(m.release_first_title))
    const site = main.getByRole('region', { name: t(m.projects_site), exact: true })
    const [first, second] = [await deployment.boundingBox(), await site.boundingBox()]
    expect(first?.y).toBeLessThan(second?.y ?? 0)
    const filled = await main
      .locator('a, button')
      .evaluateAll(textsWithBackground, 'rgb(11, 107, 117)')
    expect(filled).toEqual([t(m.release_choose_folder)])
    const { defaultUrl } = await user.call(viewProject, { params: { key } })
    const address = main.locator('p').filter({ hasText: new URL(defaultUrl).host })
    const dot = address.locator('span').first()
    expect(await colorOf(dot, 'backgroundColor')).toBe('gray')
    // There is nothing to picture, to open, to list or to count.
    await expect(site.locator('[data-initial]')).toHaveCount(0)
    await expect(address.getByRole('link')).toHaveCount(0)
    await expect(page.getByRole('link', { name: t(m.projects_visit) })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    for (const title of [m.release_title, m.projects_traffic])
      await expect(main.getByRole('heading', { name: t(title), exact: true })).toHaveCount(0)
    await expectAccessible(page)
  })

  test('says what is checked of the first release, and since when; its upload is a quiet second action', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const values = { runtime: 'static', state: 'ready', name: 'Old Mill' } as const
    const { id, key } = await insertOwnProject(database, user, values)
    await storeSession(page, user)
    // In place of a release that a worker would finish.
    await page.route(`**/api${listReleases.path.replace(':id', id)}?*`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...(await response.json()), items: [checkedRelease] } })
    })
    await page.goto(`/projects/view/${key}`)
    const main = page.getByRole('main')
    const progress = main.getByRole('region', { name: t(m.release_checking, { number: 1 }) })
    await expect(progress).toContainText(t(m.release_checks_static))
    await expect(progress.getByRole('time')).toBeVisible()
    const deployment = main.getByRole('group', { name: t(m.release_deploy) })
    await expect(deployment.getByRole('heading')).toHaveCount(0)
    const filled = await main
      .locator('a, button')
      .evaluateAll(textsWithBackground, 'rgb(11, 107, 117)')
    expect(filled).toEqual([])
    await expect(page.getByText(t(m.projects_state_not_live), { exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test('leads to the next steps of a new site, ticks them off, and can be dismissed', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    await storeSession(page, user)
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await selectRegion(page)
    await page.getByRole('button', { name: t(m.projects_create) }).click()
    const notice = page.getByRole('region', { name: t(m.projects_live_title) })
    const step = (label: string) => notice.getByRole('listitem').filter({ hasText: label })
    const [content, domain, invitation] = [
      step(t(m.projects_live_edit)),
      step(t(m.projects_live_domain)),
      step(t(m.projects_live_invite)),
    ]
    await expect(notice.getByRole('listitem')).toHaveCount(3)
    await expect(notice).not.toContainText(t(m.projects_live_done))
    const url = page.url()
    const [project] = await user.call(listProjects)
    if (!project) throw new Error('the form created no project')

    await invitation.getByRole('link').click()
    await expect(page).toHaveURL(`${paths.team(team.id)}#invite`)
    await user.call(inviteToTeam, { body: { teamId: team.id, email: newEmail() } })
    await page.goto(url)
    await expect(invitation).toContainText(t(m.projects_live_done))

    await domain.getByRole('link').click()
    await expect(page).toHaveURL(paths.domains(project.key))
    const host = `${project.key}.example.org`
    await insertDomain(database, { projectId: project.id, host, role: 'alias' })
    await page.goto(url)
    await expect(domain).toContainText(t(m.projects_live_done))
    await expect(content).not.toContainText(t(m.projects_live_done))

    const [site] = await Promise.all([
      page.waitForEvent('popup'),
      content.getByRole('link').click(),
    ])
    // The member is signed in to the site.
    await expect(site).toHaveURL(new RegExp(`^${project.defaultUrl}/`))
    await site.close()
    await expect(content).toContainText(t(m.projects_live_done))
    await expectAccessible(page)

    await notice.getByRole('button', { name: t(m.shell_dismiss) }).click()
    await expect(notice).toHaveCount(0)
    await expect(heading(page, project.name)).toBeFocused()
    await page.reload()
    await expect(page.getByRole('heading', { name: t(m.projects_traffic) })).toBeVisible()
    await expect(notice).toHaveCount(0)
  })

  for (const width of [390, 1440])
    test(`links to the public site and to its editor, at ${width} px`, async ({
      page,
      t,
      newUser,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const user = await newUser()
      const { key, name, defaultUrl } = await createReadyProject(user, 'Harbour Cafe')
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}`)
      const visitLink = page.getByRole('link', { name: t(m.projects_visit_named, { name }) })
      const editLink = page.getByRole('link', { name: t(m.projects_open_named, { name }) })
      await expect(visitLink).toHaveText(new RegExp(`^${t(m.projects_visit)}`))
      const [visitBox, editBox] = [await visitLink.boundingBox(), await editLink.boundingBox()]
      expect(visitBox?.y).toBe(editBox?.y)
      await expectAccessible(page)
      const [site] = await Promise.all([page.waitForEvent('popup'), visitLink.click()])
      await expect(site.getByRole('banner').getByText(name)).toBeVisible()
      expect(site.url()).toBe(`${defaultUrl}/`)
    })

  test('shows a picture of the site instead of a drawing once the picture is taken', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id, key, name } = await createReadyProject(user, 'Harbour Cafe')
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    await expect(heading(page, name)).toBeVisible()
    const picture = page.getByRole('img', { name: t(m.projects_picture, { name }) })
    await expect(picture).toHaveCount(0)
    await waitUntilConnected(page, t)
    await insertPicture(database, id)
    await expect(picture).toHaveJSProperty('naturalWidth', 1)
    // The picture ends at the border of its card.
    const bottomOf = async (part: Locator) => {
      const box = await part.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    const card = page.getByRole('region', { name: t(m.projects_site) })
    expect(await bottomOf(picture)).toBeCloseTo((await bottomOf(card)) - 1, 0)
    await expectAccessible(page)
    await page.goto('/projects')
    await expect(projectRow(page, name).locator('img')).toHaveJSProperty('naturalWidth', 1)
  })

  for (const width of [390, 1440])
    test(`keeps its layout when the project has loaded, at ${width} px`, async ({
      page,
      t,
      newUser,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const user = await newUser()
      const { key, name } = await createReadyProject(user, 'Harbour Cafe')
      await storeSession(page, user)
      const delay = Promise.withResolvers<void>()
      await page.route(`**/api${viewProject.path.replace(':key', key)}`, async (route) => {
        await delay.promise
        await route.continue()
      })
      await page.goto(`/projects/view/${key}`)
      const releases = page.getByRole('heading', { name: t(m.release_title), exact: true })
      await expect(releases).toBeVisible()
      const before = await releases.boundingBox()
      delay.resolve()
      await expect(heading(page, name)).toBeVisible()
      // The overview renders after the header.
      await expect.poll(() => releases.boundingBox()).toEqual(before)
    })
})

test.describe('the name of a region', () => {
  test.use({ locale: 'tr-TR' })

  test("is in the console's language and changes with it", async ({ page, newUser }) => {
    const [turkish, english] = [textsIn('tr'), textsIn('en')]
    const user = await newUser()
    const { key } = await createReadyProject(user, 'Örnek Çiçekçilik')
    await storeSession(page, user)
    await page.goto('/projects/create')
    const options = (label: string) =>
      page.getByRole('radiogroup', { name: label }).locator('label').allInnerTexts()
    await expect
      .poll(() => options(turkish(m.projects_region)))
      .toEqual(['Avrupa', 'Kuzey Amerika'])
    await page.goto(`/projects/view/${key}`)
    const details = page.getByRole('definition')
    await expect(details.getByText('Avrupa', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: turkish(m.shell_language) }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(details.getByText('Europe', { exact: true })).toBeVisible()
    await page
      .getByRole('link', { name: english(m.projects_title), exact: true })
      .first()
      .click()
    await page.getByRole('link', { name: english(m.projects_create) }).click()
    await expect
      .poll(() => options(english(m.projects_region)))
      .toEqual(['Europe', 'North America'])
  })
})

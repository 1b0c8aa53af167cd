import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createProject, type Project, type ProjectKey } from '@slipway/contract/projects'
import { createRelease, listReleases } from '@slipway/contract/releases'
import { viewTraffic } from '@slipway/contract/traffic'
import { formatBytes, formatResponseTime, m, preferredLocale } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { httpGet } from '../../apps/server/src/testing/http-get.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

async function createLiveSite(user: TestUser): Promise<Project> {
  const { id: teamId } = await ownTeam(user)
  const project = await user.call(createProject, {
    body: { name: 'Old Mill', teamId, regionId: 'eu', domain: null, runtime: 'static' },
  })
  const archive = zipOf({ 'index.html': '<h1>The mill</h1>' })
  const body = new Blob([new Uint8Array(archive)], { type: 'application/zip' })
  const params = { id: project.id }
  await user.call(createRelease, { params, query: {}, body })
  await until(async () => {
    const { items } = await user.call(listReleases, { params, query: {} })
    return items[0]?.state === 'live'
  })
  return project
}

/** Requests a path of the site from the gateway, as a visitor. */
const visitorOf = ({ defaultUrl }: Project) => {
  const { host, port } = new URL(defaultUrl)
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  return (path: string) => httpGet({ port: Number(port) }, path, { host, 'user-agent': agent })
}

const hourFile = () => `${new Date().toISOString().slice(0, 13).replace(/\D/g, '')}.log`

/** Prints as the site of a project does, straight into its log. */
async function print(dataDir: string, key: string, lines: readonly string[]) {
  const folder = join(dataDir, 'logs', key, 'site')
  await mkdir(folder, { recursive: true })
  const stored = lines.map((text) => `${JSON.stringify({ t: Date.now(), x: text })}\n`)
  await appendFile(join(folder, hourFile()), stored.join(''))
}

const scrollUp = (page: Page) => page.getByRole('log').evaluate((log) => log.scrollBy(0, -200))

test.describe('/projects/view/{projectKey}/logs', () => {
  test('follows the requests to the site, and filters them', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await createLiveSite(user)
    const visit = visitorOf(project)
    await storeSession(page, user)
    await page.goto(`${paths.logs(project.key)}?source=requests`)
    const log = page.getByRole('log')

    await visit('/')
    await visit('/missing?token=secret')
    await expect(log.getByText('/missing')).toBeVisible()
    await expect(page.getByRole('button', { name: t(m.logs_older) })).toHaveCount(0)
    await expect(log).not.toContainText('secret')
    await expectAccessible(page)

    await page.getByRole('button', { name: '4xx' }).click()
    await expect(log.getByText('200')).toHaveCount(0)
    await visit('/also-missing')
    await expect(log.getByText('/also-missing')).toBeVisible()
    await page.getByLabel(t(m.logs_search)).fill('also')
    await expect(log.getByText('/missing', { exact: true })).toHaveCount(0)
    await page.getByLabel(t(m.logs_search)).fill('nothing has this')
    await expect(page.getByText(t(m.logs_no_match))).toBeVisible()
  })

  test('stops following while the user reads, and counts the new lines', async ({
    page,
    t,
    newUser,
    database,
    service,
  }) => {
    const user = await newUser()
    const project = await insertOwnProject(database, user)
    const lines = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `line ${from + index}`)
    await print(service.dataDir, project.key, lines(0, 1_000))
    await storeSession(page, user)
    await page.goto(paths.logs(project.key as ProjectKey))
    const log = page.getByRole('log')
    await log.scrollIntoViewIfNeeded()
    await expect(log.getByText('line 999')).toBeInViewport()

    await scrollUp(page)
    await expect(page.getByRole('button', { name: t(m.logs_follow) })).toBeVisible()
    await print(service.dataDir, project.key, lines(1_000, 3))
    const button = page.getByRole('button', { name: t(m.logs_new_lines, { count: 3, lines: '3' }) })
    await expect(button).toBeVisible()
    await expect(log.getByText('line 1002')).not.toBeInViewport()

    await button.click()
    await expect(log.getByText('line 1002')).toBeInViewport()
    await print(service.dataDir, project.key, lines(1_003, 1))
    await expect(log.getByText('line 1003')).toBeInViewport()
  })

  test('loads earlier lines and stays where the user reads', async ({
    page,
    t,
    newUser,
    database,
    service,
  }) => {
    const user = await newUser()
    const project = await insertOwnProject(database, user)
    const lines = Array.from({ length: 700 }, (_, index) => `line ${index}.`)
    await print(service.dataDir, project.key, lines)
    await storeSession(page, user)
    await page.goto(paths.logs(project.key as ProjectKey))
    const log = page.getByRole('log')
    await log.scrollIntoViewIfNeeded()
    await expect(log.getByText('line 699.')).toBeInViewport()
    await log.evaluate((element) => element.scrollTo(0, 0))
    await page.getByRole('button', { name: t(m.logs_older) }).click()
    // Line 199 shows that the earlier lines have loaded.
    await expect(log.getByText('line 199.')).toBeAttached()
    await expect(log.getByText('line 200.')).toBeInViewport()
    await log.evaluate((element) => element.scrollTo(0, 0))
    await expect(log.getByText('line 0.')).toBeInViewport()
    await expect(page.getByRole('button', { name: t(m.logs_older) })).toHaveCount(0)
  })

  test('says that a site has printed nothing', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user)
    await storeSession(page, user)
    await page.goto(paths.logs(key as ProjectKey))
    await expect(page.getByText(t(m.logs_none))).toBeVisible()
    await expectAccessible(page)
  })

  test('has only the requests of a static site, which prints nothing', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key } = await createLiveSite(user)
    await storeSession(page, user)
    await page.goto(paths.logs(key))
    await expect(page.getByText(t(m.logs_no_requests), { exact: true })).toBeVisible()
    await expect(page.getByRole('group', { name: t(m.logs_source) })).toHaveCount(0)
  })
})

test.describe('/projects/view/{projectKey}/traffic', () => {
  test('shows the requests and visitors of the site', async ({ page, locale, t, newUser }) => {
    const user = await newUser()
    const project = await createLiveSite(user)
    await storeSession(page, user)
    await page.goto(paths.traffic(project.key))
    await expect(page.getByText(t(m.traffic_none))).toBeVisible()

    const visit = visitorOf(project)
    for (let count = 0; count < 5; count++) await visit('/')
    await visit('/missing')
    const figure = (name: string) => page.locator('dl > div', { has: page.getByText(name) })
    // The gateway writes every five seconds; the page refetches every fifteen.
    await expect(figure(t(m.traffic_requests)).getByText('6')).toBeVisible({ timeout: 40_000 })
    await expect(figure(t(m.traffic_visitors)).getByText('1')).toBeVisible()
    await expect(figure(t(m.traffic_errors)).getByText('1')).toBeVisible()
    const params = { id: project.id }
    const { total } = await user.call(viewTraffic, { params, query: { range: 'day' } })
    const language = preferredLocale(locale)
    const figures = [
      [m.traffic_transferred, formatBytes(total.bytes, language)],
      [m.traffic_median, formatResponseTime(total.median ?? Number.NaN, language)],
      [m.traffic_p95, formatResponseTime(total.p95 ?? Number.NaN, language)],
    ] as const
    expect(total.bytes).toBeGreaterThan(0)
    for (const [name, value] of figures)
      await expect(figure(t(name)).getByText(value, { exact: true })).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('button', { name: t(m.traffic_range_week) }).click()
    await expect(page).toHaveURL(/range=week/)
    await page.getByText(t(m.traffic_as_table)).click()
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(8)
  })
})

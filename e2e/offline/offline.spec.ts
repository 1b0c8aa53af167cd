import type { Page, WebSocketRoute } from '@playwright/test'
import { day } from '@slipway/contract/limits'
import { deleteProject, listProjects, type ProjectId } from '@slipway/contract/projects'
import { updateTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { insertProject } from '../harness/database.ts'
import { locales } from '../harness/locales.ts'
import { heading, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Say } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

const teamsCode = /\/assets\/team-list\.page-[^/]+\.js$/
const projectsCode = /\/assets\/project-list\.page-[^/]+\.js$/

const area = (page: Page, say: Say, name: () => string) =>
  page
    .getByRole('navigation', { name: say(m.shell_navigation) })
    .getByRole('link', { name: say(name) })

/** Says that the connection is to be spared: nothing is fetched before it is needed. */
const spareConnection = (page: Page) =>
  page.addInitScript(
    "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
  )

/** From here on the page cannot be replaced by another one without being noticed. */
const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
const isMarked = (page: Page) => page.evaluate(() => 'sameDocument' in globalThis)

for (const locale of locales)
  test.describe(`a page whose code cannot be fetched, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/Failed to load resource|net::ERR_/] })

    test('says so in its place when there is no network, and opens when there is', async ({
      page,
      context,
      say,
      newPerson,
    }) => {
      await spareConnection(page)
      await signIn(page, await newPerson())
      await page.goto('/projects')
      await expect(page.getByText(say(m.projects_empty))).toBeVisible()
      await mark(page)
      await context.setOffline(true)
      await area(page, say, m.shell_teams).click()
      await expect(heading(page, say(m.shell_offline))).toBeFocused()
      await expect(page).toHaveURL('/teams')
      await expect(page.getByText(say(m.error_network))).toBeVisible()
      await expectAccessible(page)
      // What has come already still opens, and so does the way back.
      await area(page, say, m.shell_projects).click()
      await expect(heading(page, say(m.projects_title))).toBeVisible()
      await area(page, say, m.shell_teams).click()
      await expect(heading(page, say(m.shell_offline))).toBeVisible()
      await context.setOffline(false)
      await expect(heading(page, say(m.teams_title))).toBeVisible()
      expect(await isMarked(page)).toBe(true)
    })
  })

test.describe('a page whose code cannot be fetched', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test.beforeEach(async ({ page, say, newPerson }) => {
    await spareConnection(page)
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await expect(page.getByText(say(m.projects_empty))).toBeVisible()
    await mark(page)
  })

  test('can be asked for again until the server is back', async ({ page, say }) => {
    await page.route(teamsCode, (route) => route.abort())
    await area(page, say, m.shell_teams).click()
    await expect(heading(page, say(m.shell_crash))).toBeVisible()
    const retry = page.getByRole('button', { name: say(m.shell_retry) })
    const asked = page.waitForEvent('requestfailed', (request) => teamsCode.test(request.url()))
    await retry.click()
    await asked
    await expect(heading(page, say(m.shell_crash))).toBeVisible()
    await page.unroute(teamsCode)
    await retry.click()
    await expect(heading(page, say(m.teams_title))).toBeVisible()
    await expect(page).toHaveURL('/teams')
    expect(await isMarked(page)).toBe(true)
  })

  test('is asked for until it comes once the network is back, which browsers say too early', async ({
    page,
    context,
    say,
  }) => {
    await context.setOffline(true)
    await area(page, say, m.shell_teams).click()
    await expect(heading(page, say(m.shell_offline))).toBeVisible()
    await page.route(teamsCode, (route) => route.abort(), { times: 1 })
    await context.setOffline(false)
    await expect(heading(page, say(m.teams_title))).toBeVisible()
    expect(await isMarked(page)).toBe(true)
  })

  test('is not loaded anew when the file is missing from the build that the server has', async ({
    page,
    say,
  }) => {
    await page.route(teamsCode, (route) => route.fulfill({ status: 404 }))
    const checked = page.waitForResponse('/teams')
    await area(page, say, m.shell_teams).click()
    await (await checked).finished()
    await expect(heading(page, say(m.shell_crash))).toBeVisible()
    expect(await isMarked(page)).toBe(true)
  })

  test('is loaded anew, once, when the server has another build', async ({ page, say }) => {
    await page.route(teamsCode, (route) => route.fulfill({ status: 404 }))
    const loads: string[] = []
    page.on('framenavigated', (frame) => loads.push(new URL(frame.url()).pathname))
    // The newer page is asked for by the program; the browser, loading it, gets the older one again.
    await page.route('/teams', async (route) => {
      if (route.request().isNavigationRequest()) return route.continue()
      const newer = '<div id="root"></div><script src="/assets/index-newer.js"></script>'
      return route.fulfill({ contentType: 'text/html', body: newer })
    })
    const loaded = page.waitForEvent('load')
    await area(page, say, m.shell_teams).click()
    await loaded
    expect(await isMarked(page)).toBe(false)
    await expect(heading(page, say(m.shell_crash))).toBeVisible()
    await page.getByRole('button', { name: say(m.shell_retry) }).click()
    await expect(heading(page, say(m.shell_crash))).toBeVisible()
    expect(loads).toEqual(['/teams', '/teams'])
    await page.unroute(teamsCode)
    await page.getByRole('button', { name: say(m.shell_retry) }).click()
    await expect(heading(page, say(m.teams_title))).toBeVisible()
  })
})

test.describe('in an older browser', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('a page is loaded anew once the network is back: it asks only once for code that did not come', async ({
    page,
    context,
    say,
    newPerson,
  }) => {
    // As browsers did until 2026: what failed fails again, and no request is made.
    await page.addInitScript('performance.getEntriesByType = () => []')
    await spareConnection(page)
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await expect(page.getByText(say(m.projects_empty))).toBeVisible()
    await context.setOffline(true)
    await area(page, say, m.shell_teams).click()
    await expect(heading(page, say(m.shell_offline))).toBeVisible()
    await mark(page)
    await page.route(teamsCode, (route) => route.abort(), { times: 1 })
    await context.setOffline(false)
    await expect(heading(page, say(m.teams_title))).toBeVisible()
    expect(await isMarked(page)).toBe(false)
  })
})

test.describe('the other screens of whoever is signed in', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('are fetched when the first one has loaded, and open without the network', async ({
    page,
    context,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    const last = page.waitForResponse(/\/assets\/add-payment-method\.page-[^/]+\.js$/)
    await page.goto('/account/profile')
    await (await last).finished()
    await context.setOffline(true)
    await area(page, say, m.shell_teams).click()
    await expect(heading(page, say(m.teams_title))).toBeVisible()
    await area(page, say, m.shell_billing).click()
    await expect(heading(page, say(m.invoices_overview_title))).toBeVisible()
  })

  test('are left for later where the connection is to be spared', async ({
    page,
    say,
    newPerson,
  }) => {
    await spareConnection(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.install()
    await signIn(page, await newPerson())
    await page.goto('/account/profile')
    await expect(heading(page, say(m.account_profile))).toBeVisible()
    await expect(page.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()
    await page.clock.fastForward('01:00')
    await area(page, say, m.shell_projects).click()
    await expect(page.getByText(say(m.projects_empty))).toBeVisible()
    expect(asked.filter((url) => projectsCode.test(url))).toHaveLength(1)
    expect(asked.filter((url) => teamsCode.test(url))).toEqual([])
  })
})

test.describe('the connection indicator', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('says at once that the network has gone, and that it is back', async ({
    page,
    context,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await expect(page.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByRole('button', { name: say(m.shell_disconnected) })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()
  })
})

/** What a phrase says before the time in it. */
const beginningOf = (say: Say, phrase: typeof m.connection_lost) =>
  say(phrase, { time: '@' }).split('@')[0] ?? ''

const iconOf = (page: Page) => page.locator('link[rel="icon"]')
const usualIcon = /favicon\.svg$/
const redDot = /^data:image\/svg\+xml,.*%23d92d3a/

for (const locale of locales)
  test.describe(`a page without the network, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/Failed to load resource|net::ERR_|WebSocket/] })

    test('says that what it shows may be old, and is up to date again once it is back', async ({
      page,
      context,
      say,
      newPerson,
    }) => {
      const person = await newPerson()
      const team = await ownTeam(person)
      await signIn(page, person)
      await page.goto(`/teams/view/${team.id}`)
      await expect(page.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()
      await expect(iconOf(page)).toHaveAttribute('href', usualIcon)
      const bar = page
        .getByRole('status')
        .filter({ hasText: beginningOf(say, m.connection_offline) })
      await expect(bar).toHaveCount(0)

      await context.setOffline(true)
      await expect(bar).toBeVisible()
      await expect(iconOf(page)).toHaveAttribute('href', redDot)
      await expect(page).toHaveTitle(`${team.name} · ${say(m.teams_title)} · Slipway`)
      await expectAccessible(page)
      await person.call(updateTeam, {
        params: { id: team.id },
        body: { name: 'Renamed meanwhile' },
      })

      await context.setOffline(false)
      await expect(heading(page, 'Renamed meanwhile')).toBeVisible()
      await expect(bar).toHaveCount(0)
      await expect(iconOf(page)).toHaveAttribute('href', usualIcon)
      const told = page.getByRole('region', { name: say(m.shell_notifications) })
      await expect(told).toContainText(say(m.connection_back))
    })

    test('keeps what was typed and says why it was not sent', async ({
      page,
      context,
      say,
      newPerson,
    }) => {
      await signIn(page, await newPerson())
      await page.goto('/support/tickets/create')
      await page.getByLabel(say(m.support_subject)).fill('The shop is slow')
      await page.getByLabel(say(m.support_message)).fill('Since this morning.')
      await context.setOffline(true)
      await page.getByRole('button', { name: say(m.support_create) }).click()
      await expect(page.getByRole('alert')).toHaveText(say(m.error_network))
      await expect(page.getByLabel(say(m.support_subject))).toHaveValue('The shop is slow')
      await expect(page.getByLabel(say(m.support_message))).toHaveValue('Since this morning.')
      await context.setOffline(false)
      await page.getByRole('button', { name: say(m.support_create) }).click()
      await expect(heading(page, 'The shop is slow')).toBeVisible()
    })
  })

test.describe('a page that the server has left', () => {
  test.use({ expectedErrors: [/WebSocket/] })

  test('says so after a while, and not while a server only starts anew', async ({
    page,
    say,
    newPerson,
  }) => {
    await page.clock.install()
    const sockets: WebSocketRoute[] = []
    let isThere = true
    await page.routeWebSocket(/\/common\/ws/, (socket) => {
      sockets.push(socket)
      if (isThere) socket.connectToServer()
      else void socket.close()
    })
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await expect(page.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()
    const bar = page.getByRole('status').filter({ hasText: beginningOf(say, m.connection_lost) })

    isThere = false
    await page.clock.pauseAt(Date.now() + day)
    await sockets.at(-1)?.close()
    await expect(page.getByRole('button', { name: say(m.shell_disconnected) })).toBeVisible()
    await expect(iconOf(page)).toHaveAttribute('href', redDot)
    await page.clock.runFor(500)
    await expect(bar).toHaveCount(0)
    await page.clock.runFor('00:05')
    await expect(bar).toBeVisible()
    isThere = true
    await page.clock.runFor('00:30')
    await page.clock.resume()
    await expect(page.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()
    await expect(bar).toHaveCount(0)
    await expect(iconOf(page)).toHaveAttribute('href', usualIcon)
  })
})

test.describe('the icon of the tab', () => {
  test('has a red dot while a project could not be created', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    const team = await ownTeam(person)
    const state = 'failed_creating'
    const { key } = await insertProject(database, { teamId: team.id, state, name: 'Old Mill' })
    await signIn(page, person)
    await page.goto('/projects')
    await expect(page.getByRole('row').filter({ hasText: 'Old Mill' })).toBeVisible()
    await expect(iconOf(page)).toHaveAttribute('href', redDot)
    await expect(page).toHaveTitle(`${say(m.projects_title)} · Slipway`)
    const [project] = await person.call(listProjects)
    expect(project?.key).toBe(key)
    await person.call(deleteProject, { params: { id: project?.id as ProjectId } })
    await expect(iconOf(page)).toHaveAttribute('href', usualIcon)
  })
})

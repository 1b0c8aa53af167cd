import type { Page, WebSocketRoute } from '@playwright/test'
import { day } from '@slipway/contract/limits'
import { updateTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { alertIcon, defaultIcon, favicon } from '../harness/favicon.ts'
import { testedLocales } from '../harness/locales.ts'
import { goOffline } from '../harness/offline.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

const teamsChunk = /\/assets\/team-list\.page-[^/]+\.js$/
const projectsChunk = /\/assets\/project-list\.page-[^/]+\.js$/

const areaLink = (page: Page, t: Translate, name: () => string) =>
  page.getByRole('navigation', { name: t(m.shell_navigation) }).getByRole('link', { name: t(name) })

/** Turns on the data saver: nothing is prefetched. */
const enableDataSaver = (page: Page) =>
  page.addInitScript(
    "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
  )

/** Marks the document: a reload loses the mark. */
const markDocument = (page: Page) =>
  page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
const isSameDocument = (page: Page) => page.evaluate(() => 'sameDocument' in globalThis)

for (const locale of testedLocales)
  test.describe(`a page whose chunk fails to load, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/Failed to load resource|net::ERR_/] })

    test('reports the missing network, and opens once it is back', async ({
      page,
      context,
      t,
      newUser,
    }) => {
      await enableDataSaver(page)
      await storeSession(page, await newUser())
      await page.goto('/projects')
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
      await markDocument(page)
      await goOffline(page)
      await areaLink(page, t, m.shell_teams).click()
      await expect(heading(page, t(m.shell_offline))).toBeFocused()
      await expect(page).toHaveURL('/teams')
      await expect(page.getByText(t(m.error_network))).toBeVisible()
      await expectAccessible(page)
      // A loaded page still opens, and so does Back.
      await areaLink(page, t, m.shell_projects).click()
      await expect(heading(page, t(m.projects_title))).toBeVisible()
      await areaLink(page, t, m.shell_teams).click()
      await expect(heading(page, t(m.shell_offline))).toBeVisible()
      await context.setOffline(false)
      await expect(heading(page, t(m.teams_title))).toBeVisible()
      expect(await isSameDocument(page)).toBe(true)
    })
  })

test.describe('a page whose chunk fails to load', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test.beforeEach(async ({ page, t, newUser }) => {
    await enableDataSaver(page)
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await markDocument(page)
  })

  test('can be retried until the server is back', async ({ page, t }) => {
    await page.route(teamsChunk, (route) => route.abort())
    await areaLink(page, t, m.shell_teams).click()
    await expect(heading(page, t(m.shell_crash))).toBeVisible()
    const retry = page.getByRole('button', { name: t(m.shell_retry) })
    const failedRequest = page.waitForEvent('requestfailed', (request) =>
      teamsChunk.test(request.url()),
    )
    await retry.click()
    await failedRequest
    await expect(heading(page, t(m.shell_crash))).toBeVisible()
    await page.unroute(teamsChunk)
    await retry.click()
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    await expect(page).toHaveURL('/teams')
    expect(await isSameDocument(page)).toBe(true)
  })

  test('is retried when the first request after `online` fails', async ({ page, context, t }) => {
    await goOffline(page)
    await areaLink(page, t, m.shell_teams).click()
    await expect(heading(page, t(m.shell_offline))).toBeVisible()
    await page.route(teamsChunk, (route) => route.abort(), { times: 1 })
    await context.setOffline(false)
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    expect(await isSameDocument(page)).toBe(true)
  })

  test('does not reload when the file is missing from the current build', async ({ page, t }) => {
    await page.route(teamsChunk, (route) => route.fulfill({ status: 404 }))
    const checked = page.waitForResponse('/teams')
    await areaLink(page, t, m.shell_teams).click()
    await (await checked).finished()
    await expect(heading(page, t(m.shell_crash))).toBeVisible()
    expect(await isSameDocument(page)).toBe(true)
  })

  test('reloads once when the server has a newer build', async ({ page, t }) => {
    await page.route(teamsChunk, (route) => route.fulfill({ status: 404 }))
    const loads: string[] = []
    page.on('framenavigated', (frame) => loads.push(new URL(frame.url()).pathname))
    // The bundle fetches the newer page; the reload gets the older one again.
    await page.route('/teams', async (route) => {
      if (route.request().isNavigationRequest()) return route.continue()
      const newer = '<div id="root"></div><script src="/assets/index-newer.js"></script>'
      return route.fulfill({ contentType: 'text/html', body: newer })
    })
    const loaded = page.waitForEvent('load')
    await areaLink(page, t, m.shell_teams).click()
    await loaded
    expect(await isSameDocument(page)).toBe(false)
    await expect(heading(page, t(m.shell_crash))).toBeVisible()
    await page.getByRole('button', { name: t(m.shell_retry) }).click()
    await expect(heading(page, t(m.shell_crash))).toBeVisible()
    expect(loads).toEqual(['/teams', '/teams'])
    await page.unroute(teamsChunk)
    await page.getByRole('button', { name: t(m.shell_retry) }).click()
    await expect(heading(page, t(m.teams_title))).toBeVisible()
  })
})

test.describe('in a browser that caches failed modules', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('a page whose chunk failed reloads once the network is back', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    // Without these entries the console takes the browser for one that caches failed modules.
    await page.addInitScript('performance.getEntriesByType = () => []')
    await enableDataSaver(page)
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await goOffline(page)
    await areaLink(page, t, m.shell_teams).click()
    await expect(heading(page, t(m.shell_offline))).toBeVisible()
    await markDocument(page)
    await page.route(teamsChunk, (route) => route.abort(), { times: 1 })
    await context.setOffline(false)
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    expect(await isSameDocument(page)).toBe(false)
  })
})

test.describe('the other screens of a signed-in user', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('are prefetched after the first one, and open offline', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    // The command palette is prefetched after all screens.
    const last = page.waitForResponse(/\/assets\/palette-[^/]+\.js$/)
    await page.goto('/account/profile')
    await (await last).finished()
    await context.setOffline(true)
    await areaLink(page, t, m.shell_teams).click()
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    await areaLink(page, t, m.shell_billing).click()
    await expect(heading(page, t(m.invoices_overview_title))).toBeVisible()
  })

  test('are not prefetched with the data saver on', async ({ page, t, newUser }) => {
    await enableDataSaver(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.clock.install()
    await storeSession(page, await newUser())
    await page.goto('/account/profile')
    await expect(heading(page, t(m.account_profile))).toBeVisible()
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    await page.clock.fastForward('01:00')
    await areaLink(page, t, m.shell_projects).click()
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    expect(requests.filter((url) => projectsChunk.test(url))).toHaveLength(1)
    expect(requests.filter((url) => teamsChunk.test(url))).toEqual([])
  })
})

test.describe('the connection indicator', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('reports at once that the network is gone and that it is back', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByRole('button', { name: t(m.shell_disconnected) })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
  })
})

/** The part of a phrase that precedes its `{time}`. */
const textBeforeTime = (t: Translate, phrase: typeof m.connection_lost) =>
  t(phrase, { time: '@' }).split('@')[0] ?? ''

for (const locale of testedLocales)
  test.describe(`an open page without the network, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/Failed to load resource|net::ERR_|WebSocket/] })

    test('reports stale data, and is up to date once the network is back', async ({
      page,
      context,
      t,
      newUser,
    }) => {
      const user = await newUser()
      const team = await ownTeam(user)
      await storeSession(page, user)
      await page.goto(`/teams/view/${team.id}`)
      await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
      await expect(favicon(page)).toHaveAttribute('href', defaultIcon)
      const bar = page
        .getByRole('status')
        .filter({ hasText: textBeforeTime(t, m.connection_offline) })
      await expect(bar).toHaveCount(0)

      await context.setOffline(true)
      await expect(bar).toBeVisible()
      await expect(favicon(page)).toHaveAttribute('href', alertIcon)
      await expect(page).toHaveTitle(`${team.name} · ${t(m.teams_title)} · Slipway`)
      await expectAccessible(page)
      await user.call(updateTeam, {
        params: { id: team.id },
        body: { name: 'Renamed meanwhile' },
      })

      await context.setOffline(false)
      await expect(heading(page, 'Renamed meanwhile')).toBeVisible()
      await expect(bar).toHaveCount(0)
      await expect(favicon(page)).toHaveAttribute('href', defaultIcon)
      const notifications = page.getByRole('region', { name: t(m.shell_notifications) })
      await expect(notifications).toContainText(t(m.connection_back))
    })

    test('keeps the input and explains why it was not sent', async ({
      page,
      context,
      t,
      newUser,
    }) => {
      await storeSession(page, await newUser())
      await page.goto('/support/tickets/create')
      await page.getByLabel(t(m.support_subject)).fill('The shop is slow')
      await page.getByLabel(t(m.support_message)).fill('Since this morning.')
      await goOffline(page)
      await page.getByRole('button', { name: t(m.support_create) }).click()
      await expect(page.getByRole('alert')).toHaveText(t(m.error_network))
      await expect(page.getByLabel(t(m.support_subject))).toHaveValue('The shop is slow')
      await expect(page.getByLabel(t(m.support_message))).toHaveValue('Since this morning.')
      await context.setOffline(false)
      await page.getByRole('button', { name: t(m.support_create) }).click()
      await expect(heading(page, 'The shop is slow')).toBeVisible()
    })
  })

test.describe('an open page without the server', () => {
  test.use({ expectedErrors: [/WebSocket/] })

  test('reports a lost connection after five seconds, not at once', async ({
    page,
    t,
    newUser,
  }) => {
    await page.clock.install()
    const sockets: WebSocketRoute[] = []
    let isServerUp = true
    await page.routeWebSocket(/\/common\/ws/, (socket) => {
      sockets.push(socket)
      if (isServerUp) socket.connectToServer()
      else void socket.close()
    })
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    const bar = page.getByRole('status').filter({ hasText: textBeforeTime(t, m.connection_lost) })

    isServerUp = false
    // `pauseAt` takes a time that the page's clock has not reached yet.
    await page.clock.pauseAt(Date.now() + day)
    await sockets.at(-1)?.close()
    await expect(page.getByRole('button', { name: t(m.shell_disconnected) })).toBeVisible()
    await expect(favicon(page)).toHaveAttribute('href', alertIcon)
    await page.clock.runFor(500)
    await expect(bar).toHaveCount(0)
    await page.clock.runFor('00:05')
    await expect(bar).toBeVisible()
    isServerUp = true
    await page.clock.runFor('00:30')
    await page.clock.resume()
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    await expect(bar).toHaveCount(0)
    await expect(favicon(page)).toHaveAttribute('href', defaultIcon)
  })
})

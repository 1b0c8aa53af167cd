import type { Page } from '@playwright/test'
import { getProfile } from '@slipway/contract/account'
import { listProjectActivity, listTeamActivity } from '@slipway/contract/activity'
import { listDomains } from '@slipway/contract/domains'
import { listEnvironment } from '@slipway/contract/environment'
import { createSocketTicket } from '@slipway/contract/events'
import { getActiveInvoice } from '@slipway/contract/invoices'
import { viewProjectLogs } from '@slipway/contract/logs'
import { viewNextSteps } from '@slipway/contract/next-steps'
import { listRegions } from '@slipway/contract/regions'
import { listRegistries } from '@slipway/contract/registries'
import { listReleases } from '@slipway/contract/releases'
import { listRuntimes } from '@slipway/contract/runtimes'
import { listServiceLinks } from '@slipway/contract/service-links'
import { listSignInClients } from '@slipway/contract/sign-in-clients'
import { listSiteBackups } from '@slipway/contract/site-backups'
import { countUnreadTickets, markTicketRead } from '@slipway/contract/support'
import { listInvitations, viewTeam } from '@slipway/contract/teams'
import { viewTraffic } from '@slipway/contract/traffic'
import { storeSession } from '../harness/auth-screens.ts'
import { createScene, signedInScreens } from '../harness/screen-list.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** Records in the page the order in which calls are sent and responded to. */
const recordCalls = `
  globalThis.calls = []
  const { fetch: original } = globalThis
  globalThis.fetch = async (input, init) => {
    const call = new URL(input.url ?? input, location.href).pathname
    calls.push({ call })
    const response = await original(input, init)
    calls.push({ call, isResponse: true })
    return response
  }
`

type CallRecord = { call: string; isResponse?: true }

/** Calls that may be sent after the first render. */
const isSentAfterRender = (call: string) =>
  [
    // Badges of other areas.
    countUnreadTickets,
    listInvitations,
    // Not part of the first view.
    createSocketTicket,
    markTicketRead,
    // At the end of the page.
    listRegistries,
    listServiceLinks,
    listTeamActivity,
    // Need the project's id.
    listDomains,
    listEnvironment,
    listProjectActivity,
    listReleases,
    listSignInClients,
    listSiteBackups,
    viewNextSteps,
    viewProjectLogs,
    viewTraffic,

    // Need the project's team.
    getActiveInvoice,
    viewTeam,
    // Needs a region.
    listRuntimes,
  ].some(({ path }) => new RegExp(`^/api${path.replace(':id', '[^/]+')}$`).test(call))

/**
 * Returns a function that delays the bundle of the next page until its first API response: calls
 * before that come from prefetching.
 */
async function installBundleDelay(page: Page) {
  let firstResponse: Promise<unknown> | undefined
  await page.route('**/assets/*.js', async (route) => {
    await firstResponse
    await route.continue()
  })
  return () => {
    firstResponse = page.waitForResponse('**/api/**')
  }
}

/** Opens the page, waits until it has sent all its calls, and returns the record. */
async function openPage(page: Page, path: string, shows: string | RegExp) {
  await page.goto(path, { waitUntil: 'commit' })
  await expect(heading(page, shows)).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const readCalls = () => page.evaluate<CallRecord[]>('calls')
  // The last call that a page sends automatically.
  const last = `/api${countUnreadTickets.path}`
  await expect.poll(async () => (await readCalls()).some(({ call }) => call === last)).toBe(true)
  return readCalls()
}

for (const [area, screensOf] of Object.entries(signedInScreens))
  test(`the screens of ${area} prefetch all calls of the first view before the first response`, async ({
    page,
    t,
    newUser,
    operator,
    database,
  }) => {
    const scene = await createScene({ newUser, operator, database })
    await storeSession(page, scene.user)
    await page.addInitScript(recordCalls)
    const delayBundle = await installBundleDelay(page)
    for (const { path, shows } of screensOf(scene)) {
      delayBundle()
      const records = await openPage(page, path, shows(t))
      const firstResponse = records.findIndex(({ isResponse }) => isResponse)
      const sentFirst = records.slice(0, firstResponse).map(({ call }) => call)
      expect(sentFirst, path).toEqual(
        expect.arrayContaining([getProfile, listRegions].map((each) => `/api${each.path}`)),
      )
      const lateCalls = records
        .slice(firstResponse)
        .filter(({ call, isResponse }) => !isResponse && !sentFirst.includes(call))
        .map(({ call }) => call)
      expect(
        lateCalls.filter((call) => !isSentAfterRender(call)),
        path,
      ).toEqual([])
    }
  })

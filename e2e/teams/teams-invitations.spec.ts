import { createSocketTicket } from '@slipway/contract/events'
import { countUnreadTickets } from '@slipway/contract/support'
import {
  cancelInvitation,
  listInvitations,
  respondToInvitation,
  viewTeam,
} from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import {
  fillSignUp,
  sendSignUp,
  solveCaptcha,
  storeSession,
  submitLogin,
} from '../harness/auth-screens.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import { invite, row, serveStaleInvitations, teamsLink } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, password } from '../harness/user.ts'

test.describe('/teams/invitations', () => {
  test('stays while invitations are left, and leads to the team after the last one', async ({
    page,
    t,
    newUser,
  }) => {
    const invitee = await newUser()
    const first = await invite(await newUser({ name: 'Ada Example' }), invitee)
    const second = await invite(await newUser({ name: 'Grace Example' }), invitee)
    await storeSession(page, invitee)
    await page.goto('/teams/invitations')
    await expect(teamsLink(page, t, 2)).toBeVisible()
    const accept = (team: string) =>
      page.getByRole('button', { name: t(m.teams_accept_named, { team }) })
    const reject = page.getByRole('button', {
      name: t(m.teams_reject_named, { team: first.name }),
    })
    expect((await reject.boundingBox())?.y).toBe((await accept(first.name).boundingBox())?.y)
    await accept(first.name).click()
    await expect(row(page, first.name)).toHaveCount(0)
    await expect(heading(page, t(m.teams_invitations))).toBeFocused()
    await expect(teamsLink(page, t, 1)).toBeVisible()
    await accept(second.name).click()
    await expect(page).toHaveURL(`/teams/view/${second.id}`)
    await expect(heading(page, second.name)).toBeVisible()
  })

  test('leads to the team although its invitation leaves the list before the response', async ({
    page,
    t,
    newUser,
  }) => {
    const invitee = await newUser()
    const team = await invite(await newUser({ name: 'Ada Example' }), invitee)
    await storeSession(page, invitee)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.exposeFunction('untilReleased', () => isReleased)
    await page.addInitScript((path) => {
      const { fetch } = window
      window.fetch = async (...request) => {
        const response = await fetch(...request)
        if (response.url.endsWith(path))
          await (window as unknown as { untilReleased(): Promise<void> }).untilReleased()
        return response
      }
    }, respondToInvitation.path)
    await page.goto('/teams/invitations')
    await waitUntilConnected(page, t)
    const accepted = page.waitForResponse(`**/api${respondToInvitation.path}`)
    await page.getByRole('button', { name: t(m.teams_accept_named, { team: team.name }) }).click()
    expect((await accepted).ok()).toBe(true)
    await expect(page.getByText(t(m.teams_invitations_empty))).toBeVisible()
    release()
    await expect(page).toHaveURL(`/teams/view/${team.id}`)
  })

  test('rejects an invitation after a confirmation', async ({ page, t, newUser }) => {
    const owner = await newUser({ name: 'Ada Example' })
    const invitee = await newUser()
    const team = await invite(owner, invitee)
    await storeSession(page, invitee)
    await page.goto('/teams/invitations')
    const reject = page.getByRole('button', {
      name: t(m.teams_reject_named, { team: team.name }),
    })
    const dialog = page.getByRole('alertdialog', {
      name: t(m.teams_reject_title, { team: team.name }),
    })
    await reject.click()
    await expect(dialog).toContainText(t(m.teams_reject_warning, { owner: 'Ada Example' }))
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t(m.shell_cancel) }).click()
    await expect(dialog).toBeHidden()
    await expect(reject).toBeFocused()
    await reject.click()
    await dialog.getByRole('button', { name: t(m.teams_reject_confirm) }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(t(m.teams_rejected_toast, { team: team.name }))).toBeVisible()
    await expect(page.getByText(t(m.teams_invitations_empty))).toBeVisible()
    await expect(heading(page, t(m.teams_invitations))).toBeFocused()
    await expectAccessible(page)
    expect((await owner.call(viewTeam, { params: { id: team.id } })).invited).toEqual([])
  })

  test('reports an invitation that was canceled after the page listed it', async ({
    page,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    const invitee = await newUser()
    const team = await invite(owner, invitee)
    const staleInvitations = await invitee.call(listInvitations)
    await owner.call(cancelInvitation, { query: { teamId: team.id, email: invitee.email } })
    await serveStaleInvitations(page, staleInvitations)
    await storeSession(page, invitee)
    await page.goto('/teams/invitations')
    const accept = page.getByRole('button', {
      name: t(m.teams_accept_named, { team: team.name }),
    })
    await expect(accept).toBeVisible()
    // Only from this response on: the page refetches when live updates start.
    await page.route(`**/api${respondToInvitation.path}`, async (route) => {
      await page.unroute(`**/api${listInvitations.path}`)
      await route.continue()
    })
    await accept.click()
    await expect(page.getByText(t(m.error_invitation_not_found))).toBeVisible()
    await expect(page.getByText(t(m.teams_invitations_empty))).toBeVisible()
  })
})

test.describe('the link in the invitation email', () => {
  test('tells another user whom it is for, and lets them log in again', async ({
    page,
    t,
    newUser,
    service,
  }) => {
    const owner = await newUser()
    const invitee = await newUser()
    const somebodyElse = await newUser()
    const team = await invite(owner, invitee)
    await storeSession(page, somebodyElse)
    await page.goto('/mailbox')
    await page
      .getByRole('listitem')
      .filter({ hasText: invitee.email })
      .getByRole('link', {
        name: t(m.teams_email_invitation_subject, { inviter: owner.name, team: team.name }),
      })
      .click()
    await page.getByRole('link', { name: new RegExp(`^${service.url}/teams/invitations`) }).click()
    const recipient = page.getByText(
      t(m.teams_for_other, { email: invitee.email, own: somebodyElse.email }),
    )
    await expect(recipient).toBeVisible()
    await expect(page.getByText(t(m.teams_for_other_hint))).toBeVisible()
    const ownInvitations = page.getByRole('region', { name: t(m.teams_invitations_own) })
    await expect(ownInvitations.getByText(t(m.teams_invitations_empty))).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: t(m.teams_for_other_log_out) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await submitLogin(page, t, invitee)
    await expect(heading(page, t(m.teams_invitations))).toBeVisible()
    await expect(row(page, team.name)).toBeVisible()
    await expect(recipient).toBeHidden()
  })

  test('explains what to do with an email address that cannot sign up with a password', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    const email = "some-body's+team@example.com"
    await page.goto(`/teams/invitations?email=${encodeURIComponent(email)}`)
    const provider = 'Google'
    await expect(page.getByText(t(m.teams_for_other_hint_provider, { provider }))).toBeVisible()
    await expect(page.getByText(t(m.teams_for_other_hint))).toBeHidden()
    await page.getByRole('button', { name: t(m.teams_for_other_log_out) }).click()
    const name = t(m.oauth_continue_with, { name: provider })
    await expect(page.getByRole('link', { name })).toBeVisible()
  })

  test('ignores an invalid email address', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/teams/invitations?email=call+0800+now')
    await expect(page.getByText(t(m.teams_invitations_empty))).toBeVisible()
    await expect(page.getByRole('button', { name: t(m.teams_for_other_log_out) })).toBeHidden()
  })

  test('leads through the sign-up to the invitation, in every tab', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    const email = newEmail()
    const team = await invite(owner, { email })
    await page.goto(`/teams/invitations?email=${encodeURIComponent(email)}`)
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(page.getByLabel(t(m.auth_email))).toHaveValue(email)
    await expect(page.getByText(t(m.auth_invited, { email }))).toBeVisible()
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await expect(heading(page, t(m.auth_sign_up_title))).toBeVisible()
    await expect(page.getByLabel(t(m.auth_email))).toHaveValue(email)
    await expect(page.getByText(t(m.auth_invited, { email }))).toBeVisible()
    await fillSignUp(page, t, { name: 'New Example', email, password })
    await solveCaptcha(page, t)
    await sendSignUp(page, t)
    await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
    // A mail program opens the link in a new tab.
    const tab = await context.newPage()
    await tab.goto('/mailbox')
    await tab
      .getByRole('listitem')
      .filter({ hasText: email })
      .getByRole('link', { name: t(m.mail_verify_subject) })
      .click()
    await tab.getByRole('link', { name: /\/auth\/verify\?token=/ }).click()
    await tab.getByRole('button', { name: t(m.auth_continue) }).click()
    await expect(heading(tab, t(m.teams_invitations))).toBeVisible()
    await expect(row(tab, team.name)).toBeVisible()
    await waitUntilConnected(tab, t)
    // The tab of the sign-up shows the invitations, too.
    await expect(heading(page, t(m.teams_invitations))).toBeVisible()
  })
})

test.describe('the invitation badge', () => {
  test('is loaded after the page, and counts up to nine', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const invitee = await newUser()
    await invite(owner, invitee)
    const [invitation] = await invitee.call(listInvitations)
    await serveStaleInvitations(
      page,
      Array.from({ length: 12 }, () => invitation),
    )
    const requestedPaths: string[] = []
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
    await storeSession(page, invitee)
    await page.goto('/projects')
    await expect(teamsLink(page, t, 12)).toBeVisible()
    await expect(teamsLink(page, t, 12)).toContainText('9+')
    for (const width of [1440, 640, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      const badge = await teamsLink(page, t, 12).getByText('9+').boundingBox()
      const next = await page
        .getByRole('navigation', { name: t(m.shell_navigation) })
        .getByRole('link', { name: t(m.shell_support) })
        .boundingBox()
      // Its end is before the name of the next area.
      const end = (badge?.x ?? 0) + (badge?.width ?? 0)
      expect((next?.x ?? 0) + 8 - end).toBeGreaterThanOrEqual(4)
    }
    const position = (path: string) => requestedPaths.indexOf(`/api${path}`)
    expect(position('/management/project/all')).toBeGreaterThan(0)
    expect(position(listInvitations.path)).toBeGreaterThan(position('/management/project/all'))
  })

  test('does not request again what the page failed to load', async ({ page, t, newUser }) => {
    let requests = 0
    const response = Promise.withResolvers<void>()
    await page.route(`**/api${listInvitations.path}`, async (route) => {
      requests++
      await response.promise
      return route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } })
    })
    // Without a socket: its first connection refetches the page.
    await page.route(`**/api${createSocketTicket.path}`, () => undefined)
    const otherBadge = page.waitForRequest(`**/api${countUnreadTickets.path}`)
    await storeSession(page, await newUser())
    await page.goto('/teams/invitations')
    await expect(page.getByRole('table', { name: t(m.teams_invitations_caption) })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    response.resolve()
    await expect(page.getByRole('alert')).toContainText(
      t(m.shell_loading_failed, { item: t(m.teams_item_invitations) }),
    )
    await otherBadge
    expect(requests).toBe(1)
  })

  test('takes no space, so that nothing moves when it has loaded', async ({ page, t, newUser }) => {
    const invitee = await newUser()
    await invite(await newUser(), invitee)
    const loads = Promise.withResolvers<void>()
    await page.route(`**/api${listInvitations.path}`, async (route) => {
      await loads.promise
      await route.continue()
    })
    await storeSession(page, invitee)
    await page.goto('/projects')
    const areas = page.getByRole('navigation', { name: t(m.shell_navigation) }).getByRole('link')
    await expect(areas.first()).toHaveAttribute('aria-current', 'page')
    const next = areas.filter({ hasText: t(m.shell_support) })
    const before = await next.boundingBox()
    loads.resolve()
    await expect(teamsLink(page, t, 1)).toBeVisible()
    expect(await next.boundingBox()).toEqual(before)
  })
})

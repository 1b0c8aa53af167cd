import { getProfile } from '@slipway/contract/account'
import { leaveTeam, listTeams, removeFromTeam, respondToInvitation } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertProject } from '../harness/database.ts'
import { selectRegion } from '../harness/project-screens.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import {
  addMember,
  invite,
  inviteButton,
  row,
  submitInvitation,
  teamsLink,
} from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

const remove = async (owner: TestUser, member: TestUser) =>
  owner.call(removeFromTeam, {
    params: { teamId: (await ownTeam(owner)).id },
    query: { userId: (await member.call(getProfile)).id },
  })

test.describe('inviting a user', () => {
  test('shows the error beside the field and keeps the input', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const member = await newUser()
    const invited = await newUser()
    const team = await addMember(owner, member)
    await invite(owner, invited)
    await storeSession(page, owner)
    await page.goto(`/teams/view/${team.id}`)
    const field = page.getByLabel(t(m.auth_email), { exact: true })
    for (const [typed, message] of [
      ['', t(m.form_enter_invitation_email)],
      ['İsmail@example.com', t(m.form_enter_invitation_email)],
      [owner.email, t(m.error_self_invite_not_possible)],
      [member.email, t(m.error_already_joined)],
      [invited.email, t(m.error_already_invited)],
    ] as const) {
      await submitInvitation(page, t, typed)
      await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
      await expect(field).toHaveValue(typed)
      await expect(field).toBeFocused()
      await expect(field).toHaveAccessibleDescription(new RegExp(`^${message}`))
    }
    await expectAccessible(page)
    await expect(row(page, invited.email)).toHaveCount(1)
    // The error disappears once its cause does: the user has joined.
    await waitUntilConnected(page, t)
    await invited.call(respondToInvitation, { body: { teamId: team.id, accept: true } })
    await expect(page.getByText(t(m.error_already_invited))).toBeHidden()
    await expect(field).toHaveValue(invited.email)
  })

  test('opens a form that says what members may do, and can be closed', async ({
    page,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    await storeSession(page, owner)
    await page.goto(`/teams/view/${(await ownTeam(owner)).id}`)
    const button = inviteButton(page, t)
    const field = page.getByLabel(t(m.auth_email), { exact: true })
    await button.click()
    await expect(field).toBeFocused()
    await expect(page.getByText(t(m.teams_invite_warning))).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(field).toBeHidden()
    await expect(button).toBeFocused()
    await submitInvitation(page, t, 'somebody@example.com')
    await expect(row(page, 'somebody@example.com')).toContainText(t(m.teams_invited))
    await expect(field).toHaveValue('')
  })

  test('keeps the input when the server rejects too many requests', async ({
    page,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    await storeSession(page, owner)
    await page.goto(`/teams/view/${(await ownTeam(owner)).id}`)
    await expect(page.getByText(t(m.teams_alone))).toBeVisible()
    await page.route('**/api/management/team/invite', (route) =>
      route.fulfill({ status: 429, json: { code: 429, error: 'action_limit_reached' } }),
    )
    await submitInvitation(page, t, 'somebody@example.com')
    await expect(page.getByRole('alert')).toHaveText(t(m.error_action_limit_reached))
    await expect(page.getByLabel(t(m.auth_email), { exact: true })).toHaveValue(
      'somebody@example.com',
    )
    await expectAccessible(page)
  })
})

test.describe('an invitation that the owner cancels', () => {
  test('disappears for the invited user at once', async ({ page, t, newUser, otherBrowser }) => {
    const owner = await newUser()
    const invitee = await newUser()
    const team = await invite(owner, invitee)
    const inviteePage = await otherBrowser()
    await storeSession(inviteePage, invitee)
    await inviteePage.goto('/teams/invitations')
    await expect(row(inviteePage, team.name)).toBeVisible()
    await waitUntilConnected(inviteePage, t)

    await storeSession(page, owner)
    await page.goto(`/teams/view/${team.id}`)
    const cancel = page.getByRole('button', {
      name: t(m.teams_cancel_named, { email: invitee.email }),
    })
    const dialog = page.getByRole('alertdialog', {
      name: t(m.teams_cancel_title, { email: invitee.email }),
    })
    await cancel.press('Enter')
    await expect(dialog.getByRole('button', { name: t(m.teams_cancel_keep) })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(cancel).toBeFocused()
    await expect(teamsLink(inviteePage, t, 1)).toBeVisible()

    await cancel.click()
    await dialog.getByRole('button', { name: t(m.teams_cancel), exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(t(m.teams_cancelled_toast, { email: invitee.email }))).toBeVisible()
    await expect(heading(page, team.name)).toBeFocused()
    await expect(page.getByText(t(m.teams_alone))).toBeVisible()
    await expect(inviteePage.getByText(t(m.teams_invitations_empty))).toBeVisible()
    await expect(teamsLink(inviteePage, t)).toBeVisible()
  })

  test('shows an error if the invitee accepts first', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const invitee = await newUser({ name: 'Fast Example' })
    const team = await invite(owner, invitee)
    await storeSession(page, owner)
    await page.goto(`/teams/view/${team.id}`)
    await page
      .getByRole('button', { name: t(m.teams_cancel_named, { email: invitee.email }) })
      .click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toBeVisible()
    await invitee.call(respondToInvitation, { body: { teamId: team.id, accept: true } })
    await dialog.getByRole('button', { name: t(m.teams_cancel), exact: true }).click()
    await expect(dialog.getByRole('alert')).toHaveText(t(m.error_invitation_not_found))
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t(m.teams_cancel_keep) }).click()
    await expect(row(page, 'Fast Example')).toContainText(t(m.teams_joined))
    await expect(heading(page, team.name)).toBeFocused()
  })
})

test.describe('a member', () => {
  test('leaves after a warning, and the owner sees it', async ({
    page,
    t,
    newUser,
    otherBrowser,
  }) => {
    const owner = await newUser({ name: 'Ada Example' })
    const member = await newUser({ name: 'Grace Example' })
    const team = await addMember(owner, member)
    const ownerPage = await otherBrowser()
    await storeSession(ownerPage, owner)
    await ownerPage.goto(`/teams/view/${team.id}`)
    await expect(row(ownerPage, 'Grace Example')).toBeVisible()
    await waitUntilConnected(ownerPage, t)

    await storeSession(page, member)
    await page.goto('/teams')
    await expect(row(page, team.name)).toContainText(t(m.teams_joined))
    await page.getByRole('link', { name: team.name }).click()
    await expect(page.getByText(t(m.teams_invite))).toBeHidden()
    await expect(page.getByRole('columnheader', { name: t(m.teams_actions) })).toHaveCount(0)
    await page.getByRole('button', { name: t(m.teams_leave) }).click()
    const dialog = page.getByRole('alertdialog', {
      name: t(m.teams_leave_title, { team: team.name }),
    })
    await expect(dialog).toContainText(t(m.teams_leave_warning, { owner: 'Ada Example' }))
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t(m.teams_leave) }).click()
    await expect(page).toHaveURL('/teams')
    await expect(page.getByText(t(m.teams_left_toast, { team: team.name }))).toBeVisible()
    await expect(heading(page, t(m.teams_title))).toBeFocused()
    await expect(row(page, team.name)).toHaveCount(0)
    expect(await member.call(listTeams)).toHaveLength(1)
    await expect(ownerPage.getByText(t(m.teams_alone))).toBeVisible()
  })

  test('who is removed during the request to leave gets no error', async ({ page, t, newUser }) => {
    const owner = await newUser()
    const member = await newUser()
    const team = await addMember(owner, member)
    await storeSession(page, member)
    await page.goto(`/teams/view/${team.id}`)
    await page.getByRole('button', { name: t(m.teams_leave) }).click()
    await page.route('**/api/management/team/leave/*', async (route) => {
      await remove(owner, member)
      await route.continue()
    })
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t(m.teams_leave) })
      .click()
    await expect(page).toHaveURL('/teams')
    await expect(page.getByText(t(m.teams_left_toast, { team: team.name }))).toBeVisible()
  })

  test('who leaves during the request to remove them causes no error', async ({
    page,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    const member = await newUser({ name: 'Gone Example' })
    const team = await addMember(owner, member)
    await storeSession(page, owner)
    await page.goto(`/teams/view/${team.id}`)
    await page
      .getByRole('button', { name: t(m.teams_remove_named, { name: 'Gone Example' }) })
      .click()
    await page.route('**/api/management/team/remove/*', async (route) => {
      await member.call(leaveTeam, { params: { id: team.id } })
      await route.continue()
    })
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: t(m.teams_remove_confirm) }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(t(m.teams_alone))).toBeVisible()
  })

  test('who is removed no longer finds the open team and its project', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const owner = await newUser()
    const member = await newUser()
    const team = await addMember(owner, member)
    const { key } = await insertProject(database, { teamId: team.id, state: 'failed_creating' })
    await storeSession(page, member)
    await page.goto(`/teams/view/${team.id}`)
    await waitUntilConnected(page, t)
    const tab = await page.context().newPage()
    await tab.goto(`/projects/view/${key}`)
    await expect(tab.getByText(t(m.projects_failed))).toBeVisible()
    await waitUntilConnected(tab, t)
    await remove(owner, member)
    await expect(page.getByText(t(m.teams_missing, { id: team.id }))).toBeVisible()
    await expect(page.getByRole('button', { name: t(m.teams_leave) })).toBeHidden()
    await expect(tab.getByText(t(m.projects_missing, { key }))).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('a new project', () => {
  test('belongs to the remaining team if the user is removed from the other one meanwhile', async ({
    page,
    t,
    newUser,
  }) => {
    const owner = await newUser()
    const member = await newUser()
    await addMember(owner, member)
    await storeSession(page, member)
    await page.goto('/projects/create')
    const team = page.getByLabel(t(m.projects_team), { exact: true })
    await expect(team).toBeVisible()
    await waitUntilConnected(page, t)
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('After All')
    await remove(owner, member)
    await expect(team).toBeHidden()
    await selectRegion(page)
    await page.getByRole('button', { name: t(m.projects_create) }).click()
    await expect(heading(page, 'After All')).toBeVisible()
  })
})

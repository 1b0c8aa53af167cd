import type { Page } from '@playwright/test'
import { inviteToTeam, listInvitations, respondToInvitation } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import type { Translate } from './texts.ts'
import { ownTeam, type TestUser } from './user.ts'

/** Invites a user to the owner's team through the API, and returns the team. */
export async function invite(owner: TestUser, { email }: Pick<TestUser, 'email'>) {
  const team = await ownTeam(owner)
  await owner.call(inviteToTeam, { body: { teamId: team.id, email } })
  return team
}

/** Adds a member to the owner's team: invites and accepts through the API. */
export async function addMember(owner: TestUser, member: TestUser) {
  const team = await invite(owner, member)
  await member.call(respondToInvitation, { body: { teamId: team.id, accept: true } })
  return team
}

/** Serves `json` as the list of invitations, as if its event had not arrived. */
export const serveStaleInvitations = (page: Page, json: unknown) =>
  page.route(`**/api${listInvitations.path}`, (route) => route.fulfill({ json }))

export const row = (page: Page, name: string | RegExp) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })

/** Clicks the action of a row; on a phone the actions of members are in a menu. */
export async function clickRowAction(page: Page, t: Translate, name: string, action: string) {
  const menu = row(page, name).getByRole('button', { name: t(m.teams_menu, { name }) })
  if (await menu.isVisible()) {
    await menu.click()
    await page.getByRole('menuitem', { name: action }).click()
  } else await row(page, name).getByRole('button', { name: action }).click()
}

/** The link to the teams in the navigation, with the count of invitations. */
export const teamsLink = (page: Page, t: Translate, count = 0) =>
  page.getByRole('navigation', { name: t(m.shell_navigation) }).getByRole('link', {
    name: count
      ? `${t(m.shell_teams)} (${t(m.shell_invitations_waiting, { count })})`
      : t(m.shell_teams),
    exact: true,
  })

/** The button in the header of the members that opens the invitation form. */
export const inviteButton = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.teams_invite), exact: true })

/** Fills and submits the invitation form; opens it if it is closed. */
export async function submitInvitation(page: Page, t: Translate, email: string) {
  const button = inviteButton(page, t)
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await page.getByLabel(t(m.auth_email), { exact: true }).fill(email)
  await page.getByRole('button', { name: t(m.teams_invite_send) }).click()
}

import type { Page } from '@playwright/test'
import { inviteToTeam, listInvitations, respondToInvitation } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import type { Translate } from './texts.ts'
import { ownTeam, type TestUser } from './user.ts'

/** Invites somebody to the owner's own team by a call, and gives the team. */
export async function invite(owner: TestUser, { email }: Pick<TestUser, 'email'>) {
  const team = await ownTeam(owner)
  await owner.call(inviteToTeam, { body: { teamId: team.id, email } })
  return team
}

/** The same, and they accept by a call. */
export async function join(owner: TestUser, member: TestUser) {
  const team = await invite(owner, member)
  await member.call(respondToInvitation, { body: { teamId: team.id, accept: true } })
  return team
}

/** Answers the list of invitations as it was before something happened that nobody told the page. */
export const serveStaleInvitations = (page: Page, json: unknown) =>
  page.route(`**/api${listInvitations.path}`, (route) => route.fulfill({ json }))

/** A row of a table: the one that is called so. */
export const row = (page: Page, name: string | RegExp) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })

/** The link to the teams in the navigation, while so many invitations wait. */
export const teamsLink = (page: Page, t: Translate, count = 0) =>
  page.getByRole('navigation', { name: t(m.shell_navigation) }).getByRole('link', {
    name: count
      ? `${t(m.shell_teams)} (${t(m.shell_invitations_waiting, { count })})`
      : t(m.shell_teams),
    exact: true,
  })

/** Types an address into the form of the team's page, and presses its button. */
export async function fillInvitation(page: Page, t: Translate, email: string) {
  await page.getByLabel(t(m.auth_email), { exact: true }).fill(email)
  await page.getByRole('button', { name: t(m.teams_invite_send) }).click()
}

/** The same, and says yes when it is asked about it. */
export async function sendInvitation(page: Page, t: Translate, email: string) {
  await fillInvitation(page, t, email)
  const dialog = page.getByRole('alertdialog', { name: email.toLowerCase() })
  await dialog.getByRole('button', { name: t(m.teams_invite_confirm), exact: true }).click()
}

import { createProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { projectRow } from '../harness/project-screens.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import { row, submitInvitation, teamsLink } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

const journeys = [
  { locale: 'en-GB', names: ["Ada O'Example", 'Grace Example'] },
  { locale: 'tr-TR', names: ['Işıl Örnek', 'İsmail Örnek'] },
] as const

for (const { locale, names } of journeys)
  test.describe(`two users in one team, in ${locale}`, () => {
    test.use({ locale })

    test('see each other’s changes at once', async ({ page, t, newUser, otherBrowser }) => {
      const owner = await newUser({ name: names[0] })
      const invitee = await newUser({ name: names[1] })
      const team = await ownTeam(owner)
      const inviteePage = await otherBrowser()
      await storeSession(page, owner)
      await storeSession(inviteePage, invitee)
      await inviteePage.goto('/projects')
      await waitUntilConnected(inviteePage, t)
      await expect(teamsLink(inviteePage, t)).toBeVisible()
      await inviteePage.evaluate(() => Object.assign(globalThis, { sameDocument: true }))

      await test.step('the list shows the owner of each team', async () => {
        await page.goto('/projects')
        await expect(page.getByText(t(m.projects_empty))).toBeVisible()
        await teamsLink(page, t).click()
        await expect(heading(page, t(m.teams_title))).toBeFocused()
        await expect(page).toHaveTitle(`${t(m.teams_title)} · Slipway`)
        await expect(row(page, team.name)).toContainText(t(m.teams_owner))
        const invitations = page.getByRole('link', { name: t(m.teams_invitations), exact: true })
        await expect(invitations).toBeDisabled()
        await expectAccessible(page)
      })

      await test.step('an owner without members is told what to do', async () => {
        // The whole row is the target.
        await row(page, team.name).click()
        await expect(heading(page, team.name)).toBeVisible()
        await expect(page).toHaveTitle(`${team.name} · ${t(m.teams_title)} · Slipway`)
        await expect(page.getByText(t(m.teams_alone))).toBeVisible()
        await expect(page.getByRole('button', { name: t(m.teams_leave) })).toBeHidden()
        await expectAccessible(page)
        await expect(page.getByText(t(m.teams_invite), { exact: true })).toHaveCount(1)
        const ownRow = row(page, t(m.teams_you, { name: owner.name }))
        await expect(ownRow).toContainText(t(m.teams_owner))
        await expect(ownRow.getByRole('button')).toHaveCount(0)
      })

      await test.step('an invitation shows a badge', async () => {
        await submitInvitation(page, t, invitee.email.toUpperCase())
        await expect(
          page.getByText(t(m.teams_invite_sent_toast, { email: invitee.email })),
        ).toBeVisible()
        await expect(row(page, invitee.email)).toContainText(t(m.teams_invited))
        await expect(page.getByLabel(t(m.auth_email), { exact: true })).toHaveValue('')
        await expectAccessible(page)
        await expect(teamsLink(inviteePage, t, 1)).toBeVisible()
        await expectAccessible(inviteePage)
      })

      await test.step('the badge leads to the invitation', async () => {
        await teamsLink(inviteePage, t, 1).click()
        const name = `${t(m.teams_invitations)} (${t(m.shell_invitations_waiting, { count: 1 })})`
        await inviteePage.getByRole('link', { name }).click()
        await expect(heading(inviteePage, t(m.teams_invitations))).toBeFocused()
        await expect(inviteePage).toHaveTitle(
          `${t(m.teams_invitations)} · ${t(m.teams_title)} · Slipway`,
        )
        await expect(row(inviteePage, team.name)).toContainText(owner.name)
        await expectAccessible(inviteePage)
      })

      await test.step('an accepted invitation adds a member, and the owner sees it', async () => {
        await inviteePage
          .getByRole('button', { name: t(m.teams_accept_named, { team: team.name }) })
          .click()
        await expect(
          inviteePage.getByText(t(m.teams_accepted_toast, { team: team.name })),
        ).toBeVisible()
        await expect(heading(inviteePage, team.name)).toBeVisible()
        await expect(teamsLink(inviteePage, t)).toBeVisible()
        await expect(row(inviteePage, t(m.teams_you, { name: invitee.name }))).toContainText(
          t(m.teams_joined),
        )
        await expect(inviteePage.getByRole('rowheader')).toContainText([owner.name, invitee.name])
        await expect(inviteePage.getByRole('row').nth(1)).toContainText(t(m.teams_owner))
        await expectAccessible(inviteePage)
        await expect(row(page, invitee.name)).toContainText(t(m.teams_joined))
        await expect(row(page, invitee.email)).toHaveCount(0)
      })

      const renamed = `${team.name} & <i>Co</i>`
      await test.step('a new team name reaches both', async () => {
        const label = t(m.teams_name)
        await page.getByRole('button', { name: t(m.shell_edit, { label }) }).click()
        await page.getByRole('textbox', { name: label }).fill(renamed)
        await page.getByRole('textbox', { name: label }).press('Enter')
        await expect(heading(page, renamed)).toBeVisible()
        await expect(heading(inviteePage, renamed)).toBeVisible()
        await expect(
          inviteePage.getByRole('button', { name: t(m.shell_edit, { label }) }),
        ).toBeHidden()
      })

      await test.step('both see the projects of the team', async () => {
        await owner.call(createProject, {
          body: { name: 'Team Bakery', teamId: team.id, regionId: 'eu', domain: null },
        })
        await inviteePage
          .getByRole('navigation', { name: t(m.shell_navigation) })
          .getByRole('link', { name: t(m.shell_projects), exact: true })
          .click()
        await expect(projectRow(inviteePage, 'Team Bakery')).toContainText(renamed)
      })

      await test.step('the owner removes the member', async () => {
        await page
          .getByRole('button', { name: t(m.teams_remove_named, { name: invitee.name }) })
          .click()
        const dialog = page.getByRole('alertdialog', {
          name: t(m.teams_remove_title, { name: invitee.name, team: renamed }),
        })
        await expect(dialog).toBeVisible()
        await expectAccessible(page)
        await dialog.getByRole('button', { name: t(m.teams_remove_confirm) }).click()
        await expect(dialog).toBeHidden()
        await expect(heading(page, renamed)).toBeFocused()
        await expect(page.getByText(t(m.teams_removed_toast, { name: invitee.name }))).toBeVisible()
        await expect(page.getByText(t(m.teams_alone))).toBeVisible()
        await expect(inviteePage.getByText(t(m.projects_empty))).toBeVisible()
        expect(await inviteePage.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
      })
    })
  })

import { getProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { phrases } from '../../apps/site/src/phrases.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { logInWithGoogle, logOut, storeSession, submitLogin } from '../harness/auth-screens.ts'
import { findUserId, joinTeam, leaveTeam } from '../harness/database.ts'
import { testedLocales } from '../harness/locales.ts'
import { projectRow } from '../harness/project-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, ownTeam } from '../harness/user.ts'

for (const [language, locale, name] of [
  ['en', 'en-GB', 'Harbour Cafe'],
  ['tr', 'tr-TR', 'Örnek Çiçekçilik'],
] as const) {
  test.describe(`from the access link to the site's editor and back, in ${locale}`, () => {
    test.use({ locale })

    test('a member edits the home page, and every visitor sees the change', async ({
      page,
      t,
      newUser,
    }) => {
      const words = phrases[language]
      const user = await newUser()
      const project = await createReadyProject(user, name)
      await storeSession(page, user)
      await page.goto('/projects')

      const [site] = await Promise.all([
        page.waitForEvent('popup'),
        projectRow(page, name)
          .getByRole('link', { name: t(m.projects_open_named, { name }) })
          .click(),
      ])
      await expect(heading(site, words.editTitle)).toBeVisible()
      expect(new URL(site.url()).origin).toBe(new URL(project.defaultUrl).origin)
      expect(site.url()).not.toContain('code=')
      await expect(site.getByText(words.signedInAs(user.name))).toBeVisible()
      await expectAccessible(site)

      await site.getByLabel(words.title, { exact: true }).fill('Open <every> day')
      await site.getByLabel(words.text, { exact: true }).fill('Coffee & cake\n\nUntil six.')
      await site.getByRole('button', { name: words.save }).click()
      await expect(site.getByText(words.saved)).toBeVisible()
      await site.getByRole('link', { name: words.viewPage }).click()
      await expect(heading(site, 'Open <every> day')).toBeVisible()
      await expect(site.getByText('Coffee & cake')).toBeVisible()
      await expectAccessible(site)

      await site.goto(`${project.defaultUrl}/yk/app`)
      await site.getByRole('button', { name: words.signOut }).click()
      await expect(site.getByText(words.signedOut)).toBeVisible()
      await expectAccessible(site)
      await expect(site.getByLabel(words.title, { exact: true })).toBeHidden()

      // The console has another session, which stays.
      await site.close()
      await page.reload()
      await expect(projectRow(page, name)).toContainText(t(m.projects_state_ready))
    })

    test('a signed-out member logs in on the way and arrives at the editor', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      const { defaultUrl } = await createReadyProject(user, name)
      await page.goto(`${defaultUrl}/yk/app`)
      await page.getByRole('link', { name: phrases[language].signIn, exact: true }).click()
      await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      await submitLogin(page, t, user)
      await expect(heading(page, phrases[language].editTitle)).toBeVisible()
    })
  })
}

test('a member who logs in with Google on the way arrives at the editor', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const owner = await newUser()
  const { id: teamId } = await ownTeam(owner)
  const { defaultUrl } = await createReadyProject(owner, 'Shared site')
  const email = newEmail()
  await page.goto('/auth/login')
  await logInWithGoogle(page, t, { name: 'Google Member', email })
  await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  const userId = await findUserId(database, email)
  await joinTeam(database, { userId, teamId })
  await logOut(page, t)
  await expect(heading(page, t(m.auth_login_title))).toBeVisible()

  await page.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
  await logInWithGoogle(page, t, { name: 'Google Member', email })
  await expect(heading(page, phrases.en.editTitle)).toBeVisible()
  await expect(page.getByText(phrases.en.signedInAs('Google Member'))).toBeVisible()
})

for (const locale of testedLocales)
  test.describe(`a member who is removed from the team, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/the server responded with a status of 403/] })

    test('cannot save the draft and cannot sign in again', async ({
      page,
      t,
      newUser,
      database,
      service,
    }) => {
      const words = phrases[t.locale]
      const [owner, member] = [await newUser(), await newUser({ name: 'Former Member' })]
      const { id: teamId } = await ownTeam(owner)
      const { id: userId } = await member.call(getProfile)
      await joinTeam(database, { userId, teamId })
      const { defaultUrl, key } = await createReadyProject(owner, 'Team site')
      await storeSession(page, member)
      await page.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
      await page.getByLabel(words.title, { exact: true }).fill('Too late')

      await leaveTeam(database, { teamId, userId })
      await page.getByRole('button', { name: words.save }).click()
      await expect(heading(page, words.sessionEnded.title)).toBeVisible()
      await expect(page.getByLabel(words.yourTitle)).toHaveValue('Too late')
      await expectAccessible(page)
      const { body } = await sitePage(service.sitesPort, new URL(defaultUrl).hostname)
      expect(body).not.toContain('Too late')

      await page.getByRole('link', { name: words.signInAgain }).click()
      await expect(page.getByText(t(m.oauth_code_failed))).toBeVisible()
      await expect(page.getByText(t(m.projects_missing, { key }))).toBeVisible()
      await expectAccessible(page)
      await page.goto(`${defaultUrl}/yk/app`)
      await expect(heading(page, words.signInTitle)).toBeVisible()
    })
  })

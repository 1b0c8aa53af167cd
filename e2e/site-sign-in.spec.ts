import { getProfile } from '@slipway/contract/account'
import { createProject, listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { until } from '../apps/server/src/testing/until.ts'
import { phrases } from '../apps/site/src/phrases.ts'
import { expectAccessible } from './accessibility.ts'
import { joinTeam, leaveTeam, userIdOf } from './database.ts'
import { newEmail, ownTeam, type Person } from './person.ts'
import { heading, logIn, logOut, projectRow, signIn, signInWithGoogle } from './screens.ts'
import { expect, test } from './test.ts'

/** A project of the person whose site answers. */
async function readyProject(person: Person, name: string) {
  const { id: teamId } = await ownTeam(person)
  const body = { name, teamId, regionId: 'eu', domain: null }
  const { key } = await person.call(createProject, { body })
  return until(async () => {
    const project = (await person.call(listProjects)).find((each) => each.key === key)
    return project?.state === 'ready' && project
  })
}

for (const [language, locale, name] of [
  ['en', 'en-GB', 'Harbour Cafe'],
  ['tr', 'tr-TR', 'Örnek Çiçekçilik'],
] as const) {
  test.describe(`from the access link to the site's editor and back, in ${locale}`, () => {
    test.use({ locale })

    test('a member edits the home page, and everybody sees it', async ({
      page,
      say,
      newPerson,
    }) => {
      const words = phrases[language]
      const person = await newPerson()
      const project = await readyProject(person, name)
      await signIn(page, person)
      await page.goto('/projects')

      const [site] = await Promise.all([
        page.waitForEvent('popup'),
        projectRow(page, name)
          .getByRole('link', { name: say(m.projects_open_named, { name }) })
          .click(),
      ])
      await expect(heading(site, words.editTitle)).toBeVisible()
      expect(new URL(site.url()).origin).toBe(new URL(project.defaultUrl).origin)
      expect(site.url()).not.toContain('code=')
      await expect(site.getByText(words.signedInAs(person.name))).toBeVisible()
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

      // Back in the console nothing has changed: it is another session.
      await site.close()
      await page.reload()
      await expect(projectRow(page, name)).toContainText(say(m.projects_state_ready))
    })

    test('a visitor who is signed out logs in on the way, and comes out at the editor', async ({
      page,
      say,
      newPerson,
    }) => {
      const person = await newPerson()
      const { defaultUrl } = await readyProject(person, name)
      await page.goto(`${defaultUrl}/yk/app`)
      await page.getByRole('link', { name: phrases[language].signIn, exact: true }).click()
      await expect(heading(page, say(m.auth_login_title))).toBeVisible()
      await logIn(page, say, person)
      await expect(heading(page, phrases[language].editTitle)).toBeVisible()
    })
  })
}

test('somebody who signs in with Google on the way comes out at the editor, too', async ({
  page,
  say,
  newPerson,
  database,
}) => {
  const owner = await newPerson()
  const { id: teamId } = await ownTeam(owner)
  const { defaultUrl } = await readyProject(owner, 'Shared site')
  const email = newEmail()
  await page.goto('/auth/login')
  await signInWithGoogle(page, say, { name: 'Google Member', email })
  await expect(page.getByText(say(m.projects_empty))).toBeVisible()
  const userId = await userIdOf(database, email)
  await joinTeam(database, { userId, teamId })
  await logOut(page, say)
  await expect(heading(page, say(m.auth_login_title))).toBeVisible()

  await page.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
  await signInWithGoogle(page, say, { name: 'Google Member', email })
  await expect(heading(page, phrases.en.editTitle)).toBeVisible()
  await expect(page.getByText(phrases.en.signedInAs('Google Member'))).toBeVisible()
})

test('a member who was removed from the team cannot sign in again', async ({
  page,
  say,
  newPerson,
  database,
}) => {
  const [owner, member] = [await newPerson(), await newPerson({ name: 'Former Member' })]
  const { id: teamId } = await ownTeam(owner)
  const { id: userId } = await member.call(getProfile)
  await joinTeam(database, { userId, teamId })
  const { defaultUrl, key } = await readyProject(owner, 'Team site')

  await signIn(page, member)
  const start = `${defaultUrl}/yk/app/auth/oauth/cloud`
  await page.goto(start)
  await expect(heading(page, phrases.en.editTitle)).toBeVisible()
  await page.getByRole('button', { name: phrases.en.signOut }).click()

  await leaveTeam(database, { teamId, userId })
  await page.goto(start)
  await expect(page.getByText(say(m.oauth_code_failed))).toBeVisible()
  await expect(page.getByText(say(m.projects_missing, { key }))).toBeVisible()
  await expectAccessible(page)
})

test.describe('the authorization screen', () => {
  const screen = (query: Record<string, string>) => `/auth/code?${new URLSearchParams(query)}`

  test('shows what is wrong and goes nowhere', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    const { key, defaultUrl } = await readyProject(person, 'Guarded site')
    await signIn(page, person)
    const right = {
      client_id: key,
      redirect_uri: `${defaultUrl}/x`,
      state: 's',
      response_type: 'code',
    }
    const wrong: [Partial<Record<keyof typeof right, string>>, string][] = [
      [{ redirect_uri: 'https://evil.example.com/' }, 'redirect_uri'],
      [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
      [{ redirect_uri: `${defaultUrl}@evil.example.com/` }, 'redirect_uri'],
      [{ redirect_uri: `${defaultUrl}/#x` }, 'redirect_uri'],
      [{ response_type: 'token' }, 'response_type'],
    ]
    for (const [change, parameter] of wrong) {
      await page.goto(screen({ ...right, ...change }))
      await expect(page.getByText(say(m.oauth_code_failed))).toBeVisible()
      await expect(page.getByText(say(m.oauth_wrong_parameter, { name: parameter }))).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/auth/code')
    }
    await expectAccessible(page)
  })

  for (const missing of ['client_id', 'redirect_uri', 'state', 'response_type'])
    test(`says that ${missing} is missing, without asking the server`, async ({
      page,
      say,
      newPerson,
    }) => {
      await signIn(page, await newPerson())
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      const query: Record<string, string> = {
        client_id: 'x',
        redirect_uri: 'http://x.localhost/',
        state: 's',
        response_type: 'code',
      }
      delete query[missing]
      await page.goto(screen(query))
      await expect(page.getByText(say(m.oauth_wrong_parameter, { name: missing }))).toBeVisible()
      expect(asked).not.toContain('/api/auth/project/code')
    })
})

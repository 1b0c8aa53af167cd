import { createClient } from '@slipway/contract/client'
import {
  createPersonalToken,
  listPersonalTokens,
  pollDevice,
  requestDevice,
} from '@slipway/contract/personal-tokens'
import { createProject, listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

async function newProject(user: TestUser, name: string) {
  const { id: teamId } = await ownTeam(user)
  return user.call(createProject, {
    body: { name, teamId, regionId: 'eu', domain: null, runtime: 'static' },
  })
}

/** The client of a program with a token, or of one that has none yet. */
const program = ({ serverUrl }: TestUser, token: string | null = null) =>
  createClient({ base: `${serverUrl}/api`, token: () => token, locale: () => 'en' })

for (const locale of testedLocales)
  test.describe(`access tokens, in ${locale}`, () => {
    test.use({ locale })

    test('a token is shown once, works for its project, and is revoked', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      const chosen = await newProject(user, 'Old Mill')
      await newProject(user, 'Night Market')
      await storeSession(page, user)
      await page.goto(paths.profile())
      await page.getByRole('link', { name: t(m.tokens_title) }).click()
      await expect(page.getByText(t(m.tokens_none), { exact: true })).toBeVisible()
      await expectAccessible(page)

      await page
        .getByRole('button', { name: t(m.tokens_create) })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t(m.account_name), { exact: true }).fill('Build server')
      await dialog.getByRole('button', { name: t(m.tokens_create) }).click()
      await expect(dialog.getByText(t(m.form_select_project))).toBeVisible()
      await dialog.getByRole('checkbox', { name: 'Old Mill' }).check()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: t(m.tokens_create) }).click()
      await expect(dialog.getByText(t(m.tokens_shown_once))).toBeVisible()
      const token = (await dialog.getByText(/^slipway_pat_/).textContent()) ?? ''
      await expectAccessible(page)
      await dialog.getByRole('button', { name: t(m.tokens_done) }).click()
      await expect(page.getByText(token)).toHaveCount(0)

      const projects = await program(user, token)(listProjects)
      expect(projects.map(({ id }) => id)).toEqual([chosen.id])
      await page.reload()
      const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Build server' })
      await expect(item).toContainText('Old Mill')
      await expect(item).toContainText(t(m.tokens_last_use))

      await item
        .getByRole('button', { name: t(m.tokens_revoke_named, { name: 'Build server' }) })
        .click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t(m.tokens_revoke), exact: true })
        .click()
      await expect(page.getByText(t(m.tokens_none), { exact: true })).toBeVisible()
      await expect(program(user, token)(listProjects)).rejects.toThrow('unauthorized')
    })

    test('the login of a machine is confirmed after its code is compared', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      await newProject(user, 'Old Mill')
      await storeSession(page, user)
      const login = await program(user)(requestDevice, { body: { name: 'laptop.example' } })
      const { pathname, search } = new URL(login.verificationUriComplete)
      await page.goto(pathname + search)
      await expect(page.getByLabel(t(m.device_code))).toHaveValue(login.userCode)
      await expectAccessible(page)
      await page.getByRole('button', { name: t(m.device_continue) }).click()
      await expect(page.getByText('laptop.example')).toBeVisible()
      await expect(page.getByText(t(m.device_warning, { command: 'slipway login' }))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('checkbox', { name: 'Old Mill' }).check()
      await page.getByRole('button', { name: t(m.device_approve) }).click()
      await expect(page.getByText(t(m.device_approved))).toBeVisible()
      const poll = await program(user)(pollDevice, { body: { deviceCode: login.deviceCode } })
      expect(poll.state).toBe('approved')
    })
  })

test('a login before the first project is for all projects', async ({ page, t, newUser }) => {
  const user = await newUser()
  await storeSession(page, user)
  const login = await program(user)(requestDevice, { body: { name: 'laptop.example' } })
  await page.goto(`${paths.device()}?code=${login.userCode}`)
  await page.getByRole('button', { name: t(m.device_continue) }).click()
  await expect(page.getByRole('radio', { name: t(m.tokens_all_projects) })).toBeChecked()
  await page.getByRole('button', { name: t(m.device_approve) }).click()
  await expect(page.getByText(t(m.device_approved))).toBeVisible()
  await program(user)(pollDevice, { body: { deviceCode: login.deviceCode } })
  expect(await user.call(listPersonalTokens)).toMatchObject([{ projects: null }])
})

test('a denied login gets no token', async ({ page, t, newUser }) => {
  const user = await newUser()
  await storeSession(page, user)
  const login = await program(user)(requestDevice, { body: { name: 'laptop.example' } })
  await page.goto(paths.device())
  await page.getByLabel(t(m.device_code)).fill(login.userCode.toLowerCase())
  await page.getByRole('button', { name: t(m.device_continue) }).click()
  await page.getByRole('button', { name: t(m.device_deny) }).click()
  await expect(page.getByText(t(m.device_denied))).toBeVisible()
  const poll = await program(user)(pollDevice, { body: { deviceCode: login.deviceCode } })
  expect(poll.state).toBe('access_denied')
})

test('the list shows tokens that are created in another session', async ({ page, newUser }) => {
  const user = await newUser()
  await storeSession(page, user)
  await page.goto(paths.tokens())
  await user.call(createPersonalToken, { body: { name: 'From elsewhere', projectIds: null } })
  await expect(page.getByText('From elsewhere')).toBeVisible()
  expect(await user.call(listPersonalTokens)).toHaveLength(1)
})

test.describe('/account/device', () => {
  test.use({ expectedErrors: [/404/] })

  test('says that no login waits for a wrong code', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto(`${paths.device()}?code=BBBB-BBBB`)
    await page.getByRole('button', { name: t(m.device_continue) }).click()
    await expect(page.getByText(t(m.device_code_wrong))).toBeVisible()
  })
})

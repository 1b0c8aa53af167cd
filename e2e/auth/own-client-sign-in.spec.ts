import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession, submitLogin } from '../harness/auth-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { type SignInClient, startSignInClient } from '../harness/sign-in-client.ts'
import { test as base, expect } from '../harness/test.ts'
import type { TestUser } from '../harness/user.ts'

const test = base.extend<{ user: TestUser; client: SignInClient }>({
  user: async ({ newUser }, use) => use(await newUser({ name: 'Ada Example' })),
  client: async ({ user, database }, use) => {
    const client = await startSignInClient(user, database)
    await use(client)
    client.close()
  },
})

test.describe('the authorization request of a customer’s own client', () => {
  test('gets its response as a form with response_mode=form_post', async ({
    page,
    user,
    client,
  }) => {
    await storeSession(page, user)
    await page.goto(client.authorizationUrl({ response_mode: 'form_post' }))
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    expect(page.url()).toBe(`${client.origin}/callback`)
    const { method, parameters } = await client.response()
    expect(method).toBe('POST')
    expect(parameters).toEqual({
      code: expect.any(String),
      state: 'a state',
      iss: user.serverUrl,
    })
    const { claims } = await client.redeem(parameters.code)
    expect(claims).toMatchObject({ aud: client.clientId, email: user.email })
  })

  test('gets an error as a form with response_mode=form_post', async ({ page, user, client }) => {
    await storeSession(page, user)
    await page.goto(
      client.authorizationUrl({ response_mode: 'form_post', prompt: 'none', max_age: '0' }),
    )
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    const { method, parameters } = await client.response()
    expect(method).toBe('POST')
    expect(parameters).toMatchObject({ error: 'login_required', state: 'a state' })
  })

  for (const [what, parameters] of [
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
  ] as const)
    test(`requires a new login with ${what}`, async ({ page, t, user, client }) => {
      await storeSession(page, user)
      await page.goto(client.authorizationUrl(parameters))
      const { host } = new URL(client.origin)
      await expect(page.getByText(t(m.oauth_login_again, { host }))).toBeVisible()
      await expectAccessible(page)
      const clicked = Math.floor(Date.now() / 1000)
      await page.getByRole('button', { name: t(m.oauth_login_again_action) }).click()
      await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      await submitLogin(page, t, user)
      await expect(heading(page, 'Back at /callback')).toBeVisible()
      const response = await client.response()
      const { claims } = await client.redeem(response.parameters.code)
      expect(claims.auth_time).toBeGreaterThanOrEqual(clicked)
    })

  test('requires no new login while max_age has not passed', async ({ page, user, client }) => {
    await storeSession(page, user)
    await page.goto(client.authorizationUrl({ max_age: '86400' }))
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    expect((await client.response()).parameters).toHaveProperty('code')
  })

  test('with prompt=consent shows the account and the client, and can be canceled', async ({
    page,
    t,
    user,
    client,
  }) => {
    await storeSession(page, user)
    await page.goto(client.authorizationUrl({ prompt: 'consent' }))
    const { name } = client
    await expect(page.getByText(t(m.oauth_confirm, { name, email: user.email }))).toBeVisible()
    await expectAccessible(page)
    const { host } = new URL(client.origin)
    await page.getByRole('button', { name: t(m.oauth_continue_to, { host }) }).click()
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    expect((await client.response()).parameters).toHaveProperty('code')

    await page.goto(client.authorizationUrl({ prompt: 'consent' }))
    await page.getByRole('button', { name: t(m.oauth_cancel), exact: true }).click()
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    const { parameters } = await client.response()
    expect(parameters).toMatchObject({ error: 'access_denied', state: 'a state' })
  })

  test('signs another account in from its confirmation', async ({ page, t, user, client }) => {
    await storeSession(page, user)
    await page.goto(client.authorizationUrl({ prompt: 'select_account' }))
    await page.getByRole('button', { name: t(m.oauth_other_account) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await submitLogin(page, t, user)
    const { host } = new URL(client.origin)
    await page.getByRole('button', { name: t(m.oauth_continue_to, { host }) }).click()
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    expect((await client.response()).parameters).toHaveProperty('code')
  })
})

test.describe('the logout request of a client', () => {
  test('with an ID token names the client and returns to it', async ({ page, t, user, client }) => {
    await storeSession(page, user)
    await page.goto(client.authorizationUrl())
    await expect(heading(page, 'Back at /callback')).toBeVisible()
    const response = await client.response()
    const { idToken } = await client.redeem(response.parameters.code)
    const query = new URLSearchParams({
      id_token_hint: idToken,
      post_logout_redirect_uri: `${client.origin}/bye`,
      state: 'bye',
    })
    await page.goto(`${user.serverUrl}/auth/end-session?${query}`)
    await expect(page.getByText(t(m.oauth_logout_client, { name: client.name }))).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: t(m.shell_logout) }).click()
    await expect(heading(page, 'Back at /bye')).toBeVisible()
    expect(page.url()).toBe(`${client.origin}/bye?state=bye`)
    await page.goto(`${user.serverUrl}/projects`)
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  })

  test('without an ID token requires a confirmation, and stays at the service', async ({
    page,
    t,
    user,
  }) => {
    await storeSession(page, user)
    await page.goto(`${user.serverUrl}/auth/end-session`)
    await expect(page.getByText(t(m.oauth_logout_question))).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: t(m.oauth_logout_stay) }).click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()

    await page.goto(`${user.serverUrl}/auth/end-session`)
    await page.getByRole('button', { name: t(m.shell_logout) }).click()
    await expect(page.getByText(t(m.oauth_logged_out))).toBeVisible()
    await expect(page.getByRole('link', { name: t(m.auth_login), exact: true })).toBeVisible()
  })

  test('shows an error for an address that is not registered', async ({
    page,
    t,
    user,
    client,
  }) => {
    await storeSession(page, user)
    const query = new URLSearchParams({
      client_id: client.clientId,
      post_logout_redirect_uri: `${client.origin}/other`,
    })
    await page.goto(`${user.serverUrl}/auth/end-session?${query}`)
    await expect(page.getByText(t(m.oauth_logout_failed))).toBeVisible()
    await expectAccessible(page)
  })
})

import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { expect, test } from '../harness/test.ts'
import type { TestUser } from '../harness/user.ts'

const screen = (query: Record<string, string>) => `/auth/code?${new URLSearchParams(query)}`

/** Sends sign-in requests of a new site; `redirectFor` returns the parameters of its response. */
async function createSiteClient(page: Page, user: TestUser) {
  const { key, defaultUrl } = await createReadyProject(user, 'Guarded site')
  const redirects: URL[] = []
  await page.route(`${defaultUrl}/**`, (route) => {
    const url = new URL(route.request().url())
    // Not the request for the site's icon.
    if (url.pathname === '/x') redirects.push(url)
    return route.fulfill({ body: 'the site' })
  })
  const validQuery = {
    client_id: key,
    redirect_uri: `${defaultUrl}/x?a=1`,
    state: 's',
    response_type: 'code',
  }
  return {
    async redirectFor(change: Record<string, string>) {
      await page.goto(screen({ ...validQuery, ...change }))
      await expect(page.getByText('the site')).toBeVisible()
      const { searchParams } = redirects.at(-1) ?? new URL('http://none')
      return Object.fromEntries(searchParams)
    },
  }
}

for (const locale of testedLocales)
  test.describe(`/auth/code with an invalid request, in ${locale}`, () => {
    test.use({ locale })

    test('names the invalid parameter and does not redirect', async ({ page, t, newUser }) => {
      const user = await newUser()
      const { key, defaultUrl } = await createReadyProject(user, 'Guarded site')
      await storeSession(page, user)
      const requestUrls: string[] = []
      page.on('request', (request) => requestUrls.push(request.url()))
      const validQuery = {
        client_id: key,
        redirect_uri: `${defaultUrl}/x`,
        state: 's',
        response_type: 'code',
      }
      const { host } = new URL(defaultUrl)
      const invalidChanges: [Record<string, string>, string][] = [
        [{ redirect_uri: 'https://evil.example.com/' }, 'redirect_uri'],
        [{ redirect_uri: `https://${host}.evil.example.com/` }, 'redirect_uri'],
        [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
        [{ redirect_uri: `${defaultUrl}@evil.example.com/` }, 'redirect_uri'],
        [{ redirect_uri: `${defaultUrl}/#x` }, 'redirect_uri'],
      ]
      for (const [change, parameter] of invalidChanges) {
        await page.goto(screen({ ...validQuery, ...change }))
        await expect(page.getByText(t(m.oauth_code_failed))).toBeVisible()
        await expect(page.getByText(t(m.oauth_wrong_parameter, { name: parameter }))).toBeVisible()
        expect(new URL(page.url()).pathname).toBe('/auth/code')
      }
      await expectAccessible(page)

      await page.goto(screen({ ...validQuery, client_id: 'nothing-bcdfgh' }))
      await expect(page.getByText(t(m.projects_missing, { key: 'nothing-bcdfgh' }))).toBeVisible()
      await expectAccessible(page)
      const consoleOrigin = new URL(page.url()).origin
      expect(requestUrls.filter((url) => new URL(url).origin !== consoleOrigin)).toEqual([])
    })

    for (const missing of ['client_id', 'redirect_uri'])
      test(`names the missing ${missing} without a request to the server`, async ({
        page,
        t,
        newUser,
      }) => {
        await storeSession(page, await newUser())
        const requests: string[] = []
        page.on('request', (request) => requests.push(new URL(request.url()).pathname))
        const query: Record<string, string> = {
          client_id: 'x',
          redirect_uri: 'http://x.localhost/',
          state: 's',
          response_type: 'code',
        }
        delete query[missing]
        await page.goto(screen(query))
        await expect(page.getByText(t(m.oauth_code_failed))).toBeVisible()
        await expect(page.getByText(t(m.oauth_wrong_parameter, { name: missing }))).toBeVisible()
        expect(requests).not.toContain('/api/auth/project/code')
      })

    test('redirects to the client with the error code', async ({ page, newUser }) => {
      const user = await newUser()
      const { redirectFor } = await createSiteClient(page, user)
      const expectError = async (change: Record<string, string>, error: string) =>
        expect(await redirectFor(change)).toMatchObject({ error, state: 's', a: '1' })
      await expectError({ prompt: 'none' }, 'login_required')
      await expectError({ response_type: 'token' }, 'unsupported_response_type')
      await storeSession(page, user)
      await expectError({ response_mode: 'fragment' }, 'invalid_request')
      await expectError({ code_challenge: 'short' }, 'invalid_request')
      await expectError({ prompt: 'none', max_age: '0' }, 'login_required')
    })
  })

test('/auth/code redirects a valid request to the client with a code', async ({
  page,
  newUser,
}) => {
  const user = await newUser()
  const { redirectFor } = await createSiteClient(page, user)
  await storeSession(page, user)
  const parameters = await redirectFor({ prompt: 'none' })
  expect(parameters).toMatchObject({ code: expect.any(String), state: 's', a: '1' })
  expect(parameters).not.toHaveProperty('error')
})

import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { signIn } from '../harness/auth-screens.ts'
import { locales } from '../harness/locales.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { expect, test } from '../harness/test.ts'

const screen = (query: Record<string, string>) => `/auth/code?${new URLSearchParams(query)}`

for (const locale of locales)
  test.describe(`/auth/code with an invalid request, in ${locale}`, () => {
    test.use({ locale })

    test('names the invalid parameter and does not redirect', async ({ page, t, newUser }) => {
      const user = await newUser()
      const { key, defaultUrl } = await createReadyProject(user, 'Guarded site')
      await signIn(page, user)
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
        await signIn(page, await newUser())
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

    test('tells the client what is wrong with its request', async ({ page, newUser }) => {
      const user = await newUser()
      const { key, defaultUrl } = await createReadyProject(user, 'Guarded site')
      const responses: URL[] = []
      await page.route(`${defaultUrl}/**`, (route) => {
        responses.push(new URL(route.request().url()))
        return route.fulfill({ body: 'the site' })
      })
      const validQuery = {
        client_id: key,
        redirect_uri: `${defaultUrl}/x?a=1`,
        state: 's',
        response_type: 'code',
      }
      const responseTo = async (change: Record<string, string>) => {
        await page.goto(screen({ ...validQuery, ...change }))
        await expect(page.getByText('the site')).toBeVisible()
        const { searchParams } = responses.at(-1) ?? new URL('http://none')
        return [searchParams.get('error'), searchParams.get('state'), searchParams.get('a')]
      }
      expect(await responseTo({ prompt: 'none' })).toEqual(['login_required', 's', '1'])
      expect(await responseTo({ response_type: 'token' })).toEqual([
        'unsupported_response_type',
        's',
        '1',
      ])
      await signIn(page, user)
      expect(await responseTo({ response_mode: 'fragment' })).toEqual(['invalid_request', 's', '1'])
      expect(await responseTo({ code_challenge: 'short' })).toEqual(['invalid_request', 's', '1'])
      expect(await responseTo({ prompt: 'none', max_age: '0' })).toEqual([
        'login_required',
        's',
        '1',
      ])
      expect(await responseTo({ prompt: 'none' })).toEqual([null, 's', '1'])
    })
  })

import { m } from '@slipway/phrases'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import { prerenderedScreens } from '../../apps/console/src/screens/prerendered-screens.ts'
import { createBrowser } from '../../apps/server/src/testing/browser.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { mailedText } from '../harness/mailbox.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { expect, test } from '../harness/test.ts'

const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard'] }))

// The page has a `main` in the template of each language, and one for browsers without scripts.
const consoleRules = { 'no-multiple-main': 'off' } as const
// Email clients need deprecated attributes for the layout.
const emailRules = { 'no-deprecated-attr': 'off' } as const

/** Expects HTML without an error of the HTML standard. */
async function expectValid(name: string, html: string, rules: Record<string, 'off'> = {}) {
  const { results } = await validator.validateString(html, { rules })
  const errors = results.flatMap(({ messages }) =>
    messages.map(({ line, column, message, ruleId }) => `${line}:${column} ${message} (${ruleId})`),
  )
  expect.soft(errors, name).toEqual([])
}

async function fetchPage(url: string, init: RequestInit = {}) {
  const response = await fetch(url, {
    ...init,
    headers: { 'accept-language': 'en', ...init.headers },
  })
  expect(response.headers.get('content-type'), url).toContain('text/html')
  return response.text()
}

test('every page that the service renders is valid HTML', async ({ service, newUser, t }) => {
  const { url, sitesPort } = service
  const user = await newUser({ verified: false })
  const owner = await newUser()
  const { key, defaultUrl } = await createReadyProject(owner, 'Valid pages')
  const site = async (path: string) => (await sitePage(sitesPort, `${key}.localhost`, path)).body
  const email = await mailedText(url, user.email, t(m.mail_verify_subject))
  const emailFrame = /<iframe[^>]* src="([^"]+)"/.exec(email)?.[1] ?? ''
  const formPost = new URLSearchParams({
    client_id: key,
    redirect_uri: `${defaultUrl}/callback`,
    code: 'a code',
    state: '"<state>"',
  })
  const standIn = await createBrowser().visit(
    `${url}/api/auth/oauth/redirect?provider=google&state=${'0'.repeat(32)}`,
  )
  for (const { path } of prerenderedScreens)
    await expectValid(path, await fetchPage(url + path), consoleRules)
  await expectValid('a screen in the browser', await fetchPage(`${url}/projects`), consoleRules)
  await expectValid('the mailbox', await fetchPage(`${url}/mailbox`))
  await expectValid('an email in the mailbox', email)
  await expectValid('an email', await fetchPage(new URL(emailFrame, url).href), emailRules)
  expect(standIn.url.pathname).toMatch(/^\/stand-in\/google\//)
  await expectValid('the stand-in for Google', standIn.body)
  await expectValid('the documentation of the API', await fetchPage(`${url}/api/docs`))
  await expectValid(
    'the form of form_post',
    await fetchPage(`${url}/api/auth/project/form-post`, { method: 'POST', body: formPost }),
  )
  await expectValid('the home page of a site', await site('/'))
  await expectValid('a missing page of a site', await site('/missing'))
  await expectValid('the sign-in of a site', await site('/yk/app'))
  const unknown = await sitePage(sitesPort, 'unknown.localhost')
  await expectValid('the page of an unknown site', unknown.body)
})

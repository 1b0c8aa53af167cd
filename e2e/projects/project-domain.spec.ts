import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { createDnsServer, type DnsServer } from '../../apps/server/src/testing/dns-server.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { signIn } from '../harness/auth-screens.ts'
import { locales } from '../harness/locales.ts'
import { edit } from '../harness/project-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { createServer, type Server } from '../harness/server.ts'
import { heading } from '../harness/shell-screens.ts'
import { test as base, expect } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser } from '../harness/user.ts'

const gateway = 'gateway-eu.localhost'
const signInPath = '/yk/app/auth/oauth/cloud'

/** A server with the tests' own name server, shared by all tests of the file. */
const test = base.extend<object, { dns: DnsServer; server: Server }>({
  dns: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the used fixtures from the pattern
    async ({}, use) => {
      const dns = await createDnsServer({ 'elsewhere.example': { a: ['198.51.100.7'] } })
      await use(dns)
      await dns.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ dns }, use) => {
      const server = await createServer({ env: { DNS_SERVERS: dns.address } })
      try {
        await server.start()
        await use(server)
      } finally {
        await server.remove()
      }
    },
    { scope: 'worker' },
  ],
})

test.describe.configure({ mode: 'default' })

/** Creates a project with the domain and opens its page. */
async function openProject(page: Page, server: Server, domain: string) {
  const user = await createUser(server.url)
  const project = await createReadyProject(user, 'Lighthouse', domain)
  await signIn(page, user)
  await page.goto(`${server.url}/projects/view/${project.key}`)
  await expect(heading(page, project.name)).toBeVisible()
  return project
}

const checkNow = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.projects_dns_check_now) })

for (const locale of locales)
  test.describe(`the DNS of a custom domain, in ${locale}`, () => {
    test.use({ locale })

    test('shows the DNS records to set, until they are right', async ({ page, t, dns, server }) => {
      const domain = `www.${t.locale}.lighthouse.example`
      const { name, defaultUrl } = await openProject(page, server, domain)
      const main = page.getByRole('main')
      const visit = page.getByRole('link', { name: t(m.projects_visit_named, { name }) })
      const editing = page.getByRole('link', { name: t(m.projects_open_named, { name }) })
      // The check starts as soon as the domain is set.
      await expect(main.getByText(t(m.projects_dns_advice_missing))).toBeVisible()
      await expect(main.getByText(t(m.projects_dns_advice_root))).toBeVisible()
      // Until the check succeeds, the links use the default URL.
      await expect(main.getByText(t(m.projects_dns_links))).toBeVisible()
      await expect(visit).toHaveAttribute('href', `${defaultUrl}/`)
      await expect(editing).toHaveAttribute('href', `${defaultUrl}${signInPath}`)
      await expect(main.getByText(gateway)).toBeVisible()
      await expect(main.getByText(t(m.projects_dns_checked))).toContainText(t(m.time_now))
      await expectAccessible(page)

      dns.set(domain, { cname: 'elsewhere.example' })
      await checkNow(page, t).click()
      await expect(main.getByText(t(m.projects_dns_advice_different))).toBeVisible()
      await expect(main.getByText('elsewhere.example')).toBeVisible()
      await expect(checkNow(page, t)).toBeFocused()
      await expectAccessible(page)

      dns.set(domain, 'SERVFAIL')
      await checkNow(page, t).click()
      await expect(main.getByText(t(m.projects_dns_advice_unknown))).toBeVisible()
      await expect(main.getByText(t(m.projects_dns_found_before))).toBeVisible()
      await expect(main.getByText('elsewhere.example')).toBeVisible()
      await expectAccessible(page)

      dns.set(domain, { cname: gateway })
      await checkNow(page, t).click()
      await expect(main.getByText(t(m.projects_dns_advice_correct))).toBeVisible()
      const verdict = t(m.projects_dns_is_correct)
      await expect(
        main.getByText(t(m.projects_dns_status, { name: domain, verdict })),
      ).toBeAttached()
      await expect(main.getByText(t(m.projects_dns_advice_root))).toBeHidden()
      await expect(main.getByText(t(m.projects_dns_links))).toBeHidden()
      const site = `http://${domain}:${new URL(defaultUrl).port}`
      await expect(visit).toHaveAttribute('href', `${site}/`)
      await expect(editing).toHaveAttribute('href', `${site}${signInPath}`)
      await expectAccessible(page)
    })
  })

test('a very long domain leaves space for the value of its record', async ({ page, server }) => {
  await openProject(page, server, `${'a'.repeat(60)}.${'b'.repeat(60)}.example`)
  const value = page.getByRole('main').getByText(gateway)
  for (const width of [700, 1000, 1100, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(value).toBeVisible()
    // Two lines at most, not one character per line.
    expect((await value.boundingBox())?.height, `the height at ${width} px`).toBeLessThan(50)
  }
})

test('a changed domain is checked on its own, and its record shows at once', async ({
  page,
  t,
  dns,
  server,
}) => {
  await openProject(page, server, 'www.mill.example')
  const other = 'www.harbour.example'
  dns.set(other, { a: ['198.51.100.9'] })
  // The check of the new domain takes as long as its name server.
  const release = dns.hold()
  const field = await edit(page, t, t(m.projects_domain))
  await field.fill(other)
  await field.press('Enter')
  const main = page.getByRole('main')
  await expect(main.getByText(t(m.projects_dns_advice_checking))).toBeVisible()
  await expect(main.getByText(other, { exact: true })).toHaveCount(2)
  release()
  await expect(main.getByText(t(m.projects_dns_advice_different))).toBeVisible()
  await expect(main.getByText('198.51.100.9')).toBeVisible()
})

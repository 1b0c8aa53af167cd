import type { Page } from '@playwright/test'
import { checkDomains } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'
import { createDnsServer, type DnsServer } from '../../apps/server/src/testing/dns-server.ts'
import { httpGet } from '../../apps/server/src/testing/http-get.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { createServer, type Server } from '../harness/server.ts'
import { heading } from '../harness/shell-screens.ts'
import { test as base, expect } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser } from '../harness/user.ts'

const gateway = 'gateway-eu.localhost'
const loopback = { a: ['127.0.0.1'] }

/** A server that checks domains, with the tests' own name server, for all tests of the file. */
const test = base.extend<object, { dns: DnsServer; server: Server }>({
  dns: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the used fixtures from the pattern
    async ({}, use) => {
      const dns = await createDnsServer({ [gateway]: loopback })
      await use(dns)
      await dns.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ dns }, use) => {
      const server = await createServer({ env: { DNS_SERVERS: dns.address, DOMAIN_PROOF: 'dns' } })
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

async function openDomains(page: Page, server: Server, name: string) {
  const user = await createUser(server.url)
  const project = await createReadyProject(user, name)
  await storeSession(page, user)
  await page.goto(`${server.url}/projects/view/${project.key}/domains`)
  return { user, project }
}

const itemOf = (page: Page, t: Translate, host: string) =>
  page
    .getByRole('list', { name: t(m.domains_list) })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: t(m.domains_menu, { host }), exact: true }) })

async function choose(page: Page, t: Translate, host: string, entry: () => string) {
  await page.getByRole('button', { name: t(m.domains_menu, { host }), exact: true }).click()
  await page.getByRole('menuitem', { name: t(entry), exact: true }).click()
}

const checkNow = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.domains_check_now) }).click()

for (const locale of testedLocales)
  test.describe(`the domains of a project, in ${locale}`, () => {
    test.use({ locale, permissions: ['clipboard-read', 'clipboard-write'] })

    test('are added, shown step by step until they work, redirected and removed', async ({
      page,
      t,
      dns,
      server,
    }) => {
      const apex = `${t.locale}.lighthouse.example`
      const host = `www.${apex}`
      const visit = (name: string, path = '/') =>
        httpGet({ port: server.sitesPort }, path, { host: name })

      const { user, project } = await openDomains(page, server, 'Lighthouse')
      const field = page.getByLabel(t(m.projects_domain), { exact: true })
      await field.fill(`https://${host}/menu?day=1`)
      await page
        .getByLabel(t(m.domains_counterpart, { host: apex, target: host }), { exact: true })
        .check()
      await expectAccessible(page)
      await page.getByRole('button', { name: t(m.domains_add), exact: true }).click()

      await expect(page.getByRole('heading', { name: host, exact: true })).toBeFocused()
      await expect(field).toBeHidden()
      const item = itemOf(page, t, host)
      await expect(item).toContainText(t(m.domains_state_pending))
      await expect(item).toContainText(t(m.domains_problem_record_missing, { host }))
      await expect(itemOf(page, t, apex)).toContainText(t(m.domains_role_redirect, { host }))
      await expectAccessible(page)
      const record = { type: 'CNAME', host }
      await item.getByRole('button', { name: t(m.domains_copy_value, record) }).click()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(gateway)
      expect((await visit(host)).status).toBe(404)

      dns.set(host, { cname: 'shops.elsewhere.example' })
      dns.set('shops.elsewhere.example', { a: ['198.51.100.7'] })
      await checkNow(page, t)
      await expect(item).toContainText(t(m.domains_problem_record_elsewhere, { host }))
      await expect(item).toContainText('shops.elsewhere.example')
      await expectAccessible(page)

      // The check runs outside this page, which shows its result without a click.
      dns.set(host, { cname: gateway })
      await user.call(checkDomains, { params: { id: project.id } })
      await expect(item).toContainText(t(m.domains_state_active))
      await expect(item.getByRole('link', { name: host })).toHaveAttribute(
        'href',
        `http://${host}:${server.sitesPort}/`,
      )
      await until(async () => (await visit(host)).status === 200)
      await expectAccessible(page)

      dns.set(apex, loopback)
      await checkNow(page, t)
      await expect(itemOf(page, t, apex)).toContainText(t(m.domains_state_active))
      const redirected = await until(async () => {
        const response = await visit(apex, '/menu')
        return response.status === 308 && response
      })
      expect(redirected.headers.location).toBe(`http://${host}:${server.sitesPort}/menu`)

      await choose(page, t, apex, m.domains_redirect_change)
      const dialog = page.getByRole('dialog')
      await dialog.getByText(t(m.domains_redirect_301), { exact: true }).click()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: t(m.domains_redirect_confirm) }).click()
      await expect(dialog).toBeHidden()
      await until(async () => (await visit(apex)).status === 301)

      await choose(page, t, apex, m.domains_make_primary)
      await expect(itemOf(page, t, apex)).toContainText(t(m.domains_role_primary))
      await expect(itemOf(page, t, host)).toContainText(t(m.domains_role_alias))
      await page.getByRole('link', { name: t(m.projects_tab_overview), exact: true }).click()
      await expect(page.getByRole('definition').getByText(apex, { exact: true })).toBeVisible()
      await page.getByRole('link', { name: t(m.domains_manage) }).click()

      await choose(page, t, host, m.domains_remove)
      const removal = page.getByRole('alertdialog', { name: t(m.domains_remove_title, { host }) })
      await expect(removal).toContainText(t(m.domains_remove_visitors, { host, other: apex }))
      await expectAccessible(page)
      await removal.getByRole('button', { name: t(m.domains_remove), exact: true }).click()
      await expect(itemOf(page, t, host)).toHaveCount(0)
      await expect(heading(page, project.name)).toBeFocused()
    })
  })

test('a very long domain leaves space for the value of its record', async ({ page, t, server }) => {
  await openDomains(page, server, 'Lighthouse')
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`
  await page.getByLabel(t(m.projects_domain), { exact: true }).fill(host)
  await page.getByRole('button', { name: t(m.domains_add), exact: true }).click()
  const value = itemOf(page, t, host).getByText(gateway)
  for (const width of [390, 700, 1000, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(value).toBeVisible()
    // Two lines at most, not one character per line.
    expect((await value.boundingBox())?.height, `the height at ${width} px`).toBeLessThan(50)
  }
})

import type { Browser, Page } from '@playwright/test'
import { listDomains } from '@slipway/contract/domains'
import { createProject, deleteProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import {
  hasPebble,
  type Pebble,
  startPebble,
} from '../../apps/server/src/modules/certificates/pebble.fixture.ts'
import { createDnsServer, type DnsServer } from '../../apps/server/src/testing/dns-server.ts'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { createServer, type Server } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser, ownTeam } from '../harness/user.ts'

type TestServers = {
  dns: DnsServer
  pebble: Pebble
  server: Server
  sitesPort: number
  tlsPort: number
}

const thisMachine = { a: ['127.0.0.1'] }
/** While a user waits, the server checks a new domain at least every 30 seconds. */
const checkTimeout = { timeout: 90_000 }

let servers: TestServers | undefined

test.beforeAll(async () => {
  // The first run on a machine installs Pebble.
  test.setTimeout(600_000)
  if (!(await hasPebble())) return
  const [sitesPort, tlsPort] = [await freePort(), await freePort()]
  const dns = await createDnsServer({ 'gateway-eu.localhost': thisMachine })
  const pebble = await startPebble({ httpPort: sitesPort })
  const server = await createServer({
    env: {
      DNS_SERVERS: dns.address,
      SITES_PORT: String(sitesPort),
      SITES_TLS_PORT: String(tlsPort),
      SITES_URL: `http://localhost:${sitesPort}`,
      ACME_DIRECTORY: pebble.directory,
      ACME_CA_FILE: pebble.caFile,
    },
  })
  servers = { dns, pebble, server, sitesPort, tlsPort }
  await server.start()
})
test.afterAll(async () => {
  await servers?.server.remove()
  await servers?.pebble.close()
  await servers?.dns.close()
})

const itemOf = (page: Page, t: Translate, host: string) =>
  page
    .getByRole('list', { name: t(m.domains_list) })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: t(m.domains_menu, { host }), exact: true }) })

/** Opens an address as a visitor, whose browser does not know the test's CA. */
async function visit(browser: Browser, url: string) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  const response = await page.goto(url)
  const visited = {
    url: page.url(),
    status: response?.status(),
    title: await page.title(),
    issuer: (await response?.securityDetails())?.issuer,
  }
  await context.close()
  return visited
}

for (const locale of testedLocales)
  test.describe(`the padlock of a domain, in ${locale}`, () => {
    test.use({ locale })

    test('appears without a reload once the DNS record exists, and another user must prove the domain', async ({
      page,
      browser,
      otherBrowser,
      t,
    }) => {
      test.skip(!servers, 'Pebble is not installed')
      if (!servers) return
      test.setTimeout(300_000)
      const { server, dns, sitesPort, tlsPort } = servers
      const host = `harbour-${t.locale}.example.com`
      const user = await createUser(server.url)
      const project = await createReadyProject(user, 'Harbour')
      await storeSession(page, user)
      await page.goto(`${server.url}/projects/view/${project.key}/domains`)
      await page.evaluate('window.isSamePage = true')
      await page.getByLabel(t(m.projects_domain), { exact: true }).fill(host)
      const www = `www.${host}`
      await page.getByLabel(t(m.domains_counterpart, { host: www, target: host })).check()
      await page.getByRole('button', { name: t(m.domains_add), exact: true }).click()
      const item = itemOf(page, t, host)
      await expect(item).toContainText(t(m.domains_problem_record_missing, { host }), checkTimeout)

      dns.set(host, thisMachine)
      dns.set(www, thisMachine)
      for (const name of [host, www])
        await expect(itemOf(page, t, name)).toContainText(t(m.domains_secure), checkTimeout)
      const steps = item.getByRole('list', { name: t(m.domains_steps_of, { host }) })
      for (const name of [
        m.domains_step_record,
        m.domains_step_reach,
        m.domains_step_caa,
        m.domains_step_certificate,
        m.domains_step_renewal,
      ])
        await expect(
          steps.getByText(`${t(name)} ${t(m.domains_step_is_done)}`, { exact: true }),
        ).toBeVisible()
      await expect(item.getByRole('link', { name: host })).toHaveAttribute(
        'href',
        `https://${host}:${tlsPort}/`,
      )
      expect(await page.evaluate('window.isSamePage')).toBe(true)
      await expectAccessible(page)
      await page.goto(`${server.url}/projects`)
      await expect(page.getByText(t(m.domains_padlock))).toBeVisible()

      const target = { url: `https://${host}:${tlsPort}/`, status: 200 }
      for (const url of [`http://${host}:${sitesPort}/`, `https://${www}:${tlsPort}/`]) {
        const visited = await visit(browser, url)
        expect(visited).toMatchObject(target)
        expect(visited.title).toContain('Harbour')
        expect(visited.issuer).toContain('Pebble')
      }

      await user.call(deleteProject, { params: { id: project.id } })
      const stranger = await createUser(server.url)
      const { id: teamId } = await ownTeam(stranger)
      const strangersProject = await stranger.call(createProject, {
        body: { name: 'Other', teamId, regionId: 'eu', domain: host },
      })
      const otherPage = await otherBrowser()
      await storeSession(otherPage, stranger)
      await otherPage.goto(`${server.url}/projects/view/${strangersProject.key}/domains`)
      const otherItem = itemOf(otherPage, t, host)
      await expect(otherItem).toContainText(
        t(m.domains_problem_proof_needed, { host }),
        checkTimeout,
      )
      expect((await visit(browser, `http://${host}:${sitesPort}/`)).status).toBe(404)
      const [domain] = await stranger.call(listDomains, { params: { id: strangersProject.id } })
      dns.set(`_slipway.${host}`, { txt: [domain?.proof.value ?? ''] })
      // No padlock yet: a host is ordered at most every five minutes (`hostLimits`).
      await expect(otherItem).toContainText(t(m.domains_state_certificate_pending), checkTimeout)
      await expect
        .poll(
          async () => (await visit(browser, `http://${host}:${sitesPort}/`)).title,
          checkTimeout,
        )
        .toContain('Other')
    })
  })

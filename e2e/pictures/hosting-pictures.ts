import type { Page } from '@playwright/test'
import { listProjectActivity } from '@slipway/contract/activity'
import { listDomains } from '@slipway/contract/domains'
import { listEnvironment } from '@slipway/contract/environment'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { createRelease, listReleases } from '@slipway/contract/releases'
import { createSignInClient } from '@slipway/contract/sign-in-clients'
import { listSiteBackups } from '@slipway/contract/site-backups'
import { viewTraffic } from '@slipway/contract/traffic'
import { m } from '@slipway/phrases'
import type { Translate } from '../harness/texts.ts'
import type { ExampleHosting } from './example-hosting.ts'
import { delayCalls, dialog, failed, loading, type Picture, pageAt, reject } from './picture.ts'

/** The page of the logs. It cannot wait for an idle network, because the logs are a stream. */
const logs = (name: string, path: string, act?: (page: Page) => Promise<unknown>): Picture => ({
  name,
  inWindow: true,
  show: async (page) => {
    await page.goto(path)
    await page.getByRole('log').waitFor()
    await act?.(page)
  },
})

/** A host as its owner types it, not in Punycode. */
const redirectedHost = 'hafenbäckerei.example'

/** The menu of a domain, or a dialog that one of its entries opens. */
const domainDialog = (name: string, path: string, entry?: () => string): Picture => ({
  name,
  inWindow: true,
  show: async (page, t) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    const host = entry === m.domains_redirect_change ? redirectedHost : ''
    await page
      .getByRole('list', { name: t(m.domains_list) })
      .getByRole('button', { name: t(m.domains_menu, { host }).trim() })
      .first()
      .click()
    await page.getByRole('menuitem').first().waitFor()
    if (!entry) return
    await page.getByRole('menuitem', { name: t(entry), exact: true }).click()
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
  },
})

async function chooseFile(page: Page, t: Translate, path: string) {
  await page.goto(path, { waitUntil: 'networkidle' })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: t(m.release_choose_files) }).click()
  await (await chooser).setFiles({
    name: 'index.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<h1>Night Market</h1>'),
  })
}

/** For a user with sites: their releases, logs, traffic, settings and tokens in each state. */
export const hostingPictures = (paths: ExampleHosting): Picture[] => {
  /** The dialog that restores a backup, with the choice of this label. */
  const restoreDialog = (name: string, choice?: () => string): Picture => ({
    name,
    inWindow: true,
    show: async (page, t) => {
      await page.goto(`${paths.backups}/backups`, { waitUntil: 'networkidle' })
      const restore = page.getByRole('button').filter({ hasText: t(m.backups_restore) })
      await restore.first().click()
      const form = page.getByRole('dialog')
      await form.waitFor()
      if (choice) await form.getByText(t(choice), { exact: true }).click()
    },
  })
  return [
    pageAt('projects-hosted', '/projects/'),
    pageAt('site-live', paths.manyReleases),
    pageAt('site-without-release', paths.empty),
    pageAt('site-checking', paths.checking),
    pageAt('site-release-failed', paths.failed),
    pageAt('site-stopped', paths.stopped),
    pageAt('site-suspended', paths.suspended),
    {
      name: 'site-uploading',
      delaysMutation: true,
      show: async (page, t) => {
        await delayCalls(page, createRelease)
        await chooseFile(page, t, paths.manyReleases)
        await page.getByRole('progressbar').waitFor()
      },
    },
    {
      name: 'site-upload-failed',
      show: async (page, t) => {
        await reject(page, createRelease, 503, 'unavailable')
        await chooseFile(page, t, paths.manyReleases)
        await page.getByRole('alert').first().waitFor()
      },
    },
    pageAt('releases-many', `${paths.manyReleases}/releases`),
    pageAt('releases-empty', `${paths.empty}/releases`),
    loading('releases-loading', `${paths.manyReleases}/releases`, listReleases),
    failed('releases-failed', `${paths.manyReleases}/releases`, listReleases),
    dialog('release-log', `${paths.manyReleases}/releases`, (t) =>
      t(m.release_log_title, { number: 7 }),
    ),
    logs('logs-site', `${paths.checking}/logs`),
    logs('logs-requests', `${paths.manyReleases}/logs`),
    logs('logs-scrolled', `${paths.checking}/logs`, async (page) => {
      await page.getByRole('log').evaluate((element) => element.scrollTo(0, 0))
      await page.getByRole('main').getByRole('button').last().waitFor()
    }),
    pageAt('traffic-day', `${paths.manyReleases}/traffic`),
    pageAt('traffic-week', `${paths.manyReleases}/traffic?range=week`),
    pageAt('traffic-empty', `${paths.empty}/traffic`),
    loading('traffic-loading', `${paths.manyReleases}/traffic`, viewTraffic),
    failed('traffic-failed', `${paths.manyReleases}/traffic`, viewTraffic),
    pageAt('backups', `${paths.backups}/backups`),
    pageAt('backups-unready', `${paths.checking}/backups`),
    pageAt('backups-no-content', `${paths.manyReleases}/backups`),
    loading('backups-loading', `${paths.backups}/backups`, listSiteBackups),
    failed('backups-failed', `${paths.backups}/backups`, listSiteBackups),
    restoreDialog('backups-restore'),
    restoreDialog('backups-restore-new', m.backups_restore_new),
    pageAt('activity', `${paths.manyReleases}/activity`),
    loading('activity-loading', `${paths.manyReleases}/activity`, listProjectActivity),
    failed('activity-failed', `${paths.manyReleases}/activity`, listProjectActivity),
    pageAt('domains-empty', `${paths.empty}/domains`),
    pageAt('domains-pending', paths.domains.pending),
    pageAt('domains-working', paths.domains.working),
    pageAt('domains-failed', paths.domains.failed),
    pageAt('domains-expiring', paths.domains.expiring),
    pageAt('domains-problems', paths.domains.problems),
    pageAt('domains-certificates', paths.domains.certificates),
    pageAt('domains-many', paths.domains.many),
    loading('domains-loading', paths.domains.working, listDomains),
    failed('domains-unavailable', paths.domains.working, listDomains),
    {
      name: 'domains-rejected',
      show: async (page, t) => {
        await page.goto(paths.domains.working, { waitUntil: 'networkidle' })
        await page.getByRole('button', { name: t(m.domains_add), exact: true }).click()
        await page.getByLabel(t(m.projects_domain), { exact: true }).fill('old-mill')
        await page.getByRole('button', { name: t(m.domains_add), exact: true }).click()
        await page.getByText(t(m.form_enter_own_domain)).waitFor()
      },
    },
    domainDialog('domains-menu', paths.domains.pending),
    domainDialog('domains-redirect', paths.domains.pending, m.domains_redirect_change),
    domainDialog('domains-hsts', paths.domains.working, m.domains_hsts_off),
    domainDialog('domains-remove', paths.domains.working, m.domains_remove),
    pageAt('settings-variables', `${paths.manyReleases}/settings`),
    pageAt('settings-stopped', `${paths.stopped}/settings`),
    pageAt('settings-suspended', `${paths.suspended}/settings`),
    loading('settings-loading', `${paths.manyReleases}/settings`, listEnvironment),
    failed('settings-failed', `${paths.manyReleases}/settings`, listEnvironment),
    dialog('variable-add', `${paths.manyReleases}/settings`, (t) => t(m.environment_add)),
    dialog('variables-paste', `${paths.manyReleases}/settings`, (t) => t(m.environment_paste)),
    dialog('client-new', `${paths.manyReleases}/settings`, (t) => t(m.clients_create)),
    dialog('client-edit', `${paths.manyReleases}/settings`, (t) =>
      t(m.clients_edit_named, { name: 'Intranet' }),
    ),
    dialog('client-examples', `${paths.manyReleases}/settings`, (t) =>
      t(m.clients_examples_named, { name: 'Intranet' }),
    ),
    {
      name: 'client-secret',
      inWindow: true,
      show: async (page, t) => {
        // A mock: a created client would also be in the other pictures.
        await page.route(`**/api${createSignInClient.path.replace(':id', '*')}`, (route) =>
          route.fulfill({ json: { client: null, secret: `slipway_cs_${'x'.repeat(43)}` } }),
        )
        await page.goto(`${paths.manyReleases}/settings`, { waitUntil: 'networkidle' })
        await page.getByRole('button', { name: t(m.clients_create), exact: true }).click()
        const form = page.getByRole('dialog')
        await form.getByLabel(t(m.account_name), { exact: true }).fill('Laptop')
        await form.getByLabel(t(m.clients_redirects)).fill('http://localhost/callback')
        await form.getByRole('button', { name: t(m.clients_create) }).click()
        await form.getByText(t(m.clients_secret_once)).waitFor()
      },
    },
    dialog('site-stopping', `${paths.manyReleases}/settings`, (t) => t(m.projects_stop)),
    pageAt('security', '/account/security'),
    pageAt('tokens-some', '/account/tokens'),
    dialog('token-new', '/account/tokens', (t) => t(m.tokens_create)),
    {
      name: 'token-rejected',
      inWindow: true,
      show: async (page, t) => {
        await page.route(`**/api${createPersonalToken.path}`, (route) =>
          route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
        )
        await page.goto('/account/tokens', { waitUntil: 'networkidle' })
        await page
          .getByRole('main')
          .getByRole('button', { name: t(m.tokens_create) })
          .first()
          .click()
        const form = page.getByRole('dialog')
        await form.getByLabel(t(m.account_name)).fill('Laptop')
        await form.getByLabel(t(m.tokens_all_projects)).check()
        await form.getByRole('button', { name: t(m.tokens_create) }).click()
        await form.getByRole('alert').waitFor()
      },
    },
  ]
}

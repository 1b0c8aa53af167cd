import type { Page } from '@playwright/test'
import { setRegistry } from '@slipway/contract/registries'
import { m } from '@slipway/phrases'
import {
  type StandInCluster,
  startStandInCluster,
} from '../../apps/server/src/testing/stand-in-cluster.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { createServer, type Server } from '../harness/server.ts'
import { test as base, expect } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser, ownTeam } from '../harness/user.ts'

const imageOf = (digit: string) => `ghcr.io/acme/shop@sha256:${digit.repeat(64)}`

/** A server whose sites run on a stand-in of Kubernetes, for these tests alone. */
const test = base.extend<object, { server: Server; cluster: StandInCluster }>({
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the used fixtures from the pattern
    async ({}, use) => {
      const cluster = await startStandInCluster()
      await use(cluster)
      await cluster.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ cluster }, use) => {
      const server = await createServer({
        env: {
          ENGINE: 'kubernetes',
          KUBECONFIG: cluster.kubeconfig,
          KUBERNETES_NETWORK_POLICY: 'trusted',
          KUBERNETES_NODE_IMAGE: imageOf('8'),
          KUBERNETES_PHP_IMAGE: imageOf('9'),
        },
      })
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

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const shortImageOf = (digit: string) => `ghcr.io/acme/shop@sha256:${digit.repeat(12)}`

const release = (page: Page, t: Translate, number: number) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: t(m.release_number, { number }) }) })

async function openForm(page: Page, t: Translate) {
  await page.getByRole('button', { name: t(m.release_image_deploy) }).click()
  const form = page.getByRole('dialog')
  return {
    form,
    field: (label: string) => form.getByRole('textbox', { name: label, exact: true }),
    deploy: () => form.getByRole('button', { name: t(m.release_image_deploy) }).click(),
  }
}

test.describe('a project that runs a container image', () => {
  // The tests share one server.
  test.describe.configure({ mode: 'default' })

  test('is created, gets its first image and another, and rolls back', async ({
    page,
    t,
    server,
  }) => {
    const user = await createUser(server.url)
    await storeSession(page, user)
    await page.goto(`${server.url}/projects/create`)
    const kinds = page.getByRole('radiogroup', { name: t(m.runtime_choose) }).getByRole('radio')
    await expect(kinds).toHaveCount(6)
    await page.getByRole('radio', { name: t(m.runtime_image) }).check({ force: true })
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Old Mill')
    await page
      .locator('label')
      .filter({ has: page.locator('[value=eu]') })
      .click()
    await page.getByRole('button', { name: t(m.projects_create) }).click()

    const step = page.getByRole('link', { name: t(m.projects_live_deploy_image) })
    await step.click()
    // The overview has the same text and button.
    await expect(step).toBeHidden()
    await expect(page.getByText(t(m.release_image_none))).toBeVisible()
    const first = await openForm(page, t)
    await first.field(t(m.release_image_reference)).fill('ghcr.io/acme/shop:1.4')
    await first.deploy()
    await expect(first.form.getByText(t(m.form_image_digest))).toBeVisible()
    await expect(first.form.getByText(t(m.form_image_port))).toBeVisible()
    await expectAccessible(page)
    await first.field(t(m.release_image_reference)).fill(` ${imageOf('1')} `)
    await first.field(t(m.release_image_port)).fill('8080')
    await first.field(t(m.release_image_health)).fill('/health')
    await first.deploy()
    await expect(release(page, t, 1)).toContainText(t(m.release_state_live))
    await expect(release(page, t, 1)).toContainText(shortImageOf('1'))
    await expectAccessible(page)
    await page.getByRole('button', { name: t(m.release_image_copy, { number: 1 }) }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(imageOf('1'))

    const second = await openForm(page, t)
    await expect(second.field(t(m.release_image_reference))).toHaveValue(imageOf('1'))
    await expect(second.field(t(m.release_image_port))).toHaveValue('8080')
    await expect(second.field(t(m.release_image_health))).toHaveValue('/health')
    await second.field(t(m.release_image_reference)).fill(imageOf('2'))
    await second.deploy()
    await expect(release(page, t, 2)).toContainText(t(m.release_state_live))

    await page.getByRole('button', { name: t(m.release_roll_back_named, { number: 1 }) }).click()
    await expect(release(page, t, 3)).toContainText(t(m.release_state_live))
    await expect(release(page, t, 3)).toContainText(shortImageOf('1'))
    await expect(release(page, t, 3)).toContainText(t(m.release_rollback_of, { number: 1 }))
  })

  test('has the registries of its team, whose credentials the owner adds, replaces and deletes', async ({
    page,
    t,
    server,
  }) => {
    const user = await createUser(server.url)
    const { id } = await ownTeam(user)
    await user.call(setRegistry, {
      params: { id },
      body: { host: 'docker.io', username: 'acme', password: 'example-1' },
    })
    await storeSession(page, user)
    await page.goto(`${server.url}/teams/view/${id}`)
    const card = page.getByRole('region', { name: t(m.teams_registries) })
    await expect(card.getByRole('listitem')).toHaveCount(1)
    // Each change adds an entry to the activity, which would move the buttons if it were above.
    const activity = page.getByRole('region', { name: t(m.activity_title) })
    await expect(activity.getByRole('listitem').first()).toBeVisible()
    expect((await card.boundingBox())?.y).toBeLessThan((await activity.boundingBox())?.y ?? 0)

    await card.getByRole('button', { name: t(m.teams_registry_add) }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(t(m.teams_registry_username)).fill('robot')
    await form.getByRole('button', { name: t(m.shell_save) }).click()
    await expect(form.getByText(t(m.form_enter_registry))).toBeVisible()
    await form.getByLabel(t(m.teams_registry_host)).fill('https://GHCR.io/acme')
    await form.getByLabel(t(m.teams_registry_password), { exact: true }).fill('example-2')
    await expectAccessible(page)
    await form.getByRole('button', { name: t(m.shell_save) }).click()
    const added = card.getByRole('listitem').filter({ hasText: 'ghcr.io' })
    await expect(added).toContainText('robot')
    await expect(added).toContainText(t(m.teams_registry_unused))
    await expectAccessible(page)

    const replace = t(m.teams_registry_replace_named, { host: 'ghcr.io' })
    await card.getByRole('button', { name: replace }).click()
    await expect(form.getByLabel(t(m.teams_registry_username))).toHaveValue('robot')
    await form.getByLabel(t(m.teams_registry_username)).fill('builder')
    await form.getByLabel(t(m.teams_registry_password), { exact: true }).fill('example-3')
    await form.getByRole('button', { name: t(m.shell_save) }).click()
    await expect(added).toContainText('builder')

    await card
      .getByRole('button', { name: t(m.teams_registry_delete_named, { host: 'ghcr.io' }) })
      .click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t(m.teams_registry_delete) })
      .click()
    await expect(added).toHaveCount(0)
    await expect(card.getByRole('listitem')).toHaveCount(1)
  })
})

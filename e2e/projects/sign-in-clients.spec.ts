import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { expect, test } from '../harness/test.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a client of one’s own is created, gets another secret and is deleted', async ({
  page,
  t,
  newUser,
}) => {
  const user = await newUser()
  const { key, defaultUrl } = await createReadyProject(user, 'Site with clients')
  await storeSession(page, user)
  await page.goto(`/projects/view/${key}/settings`)
  await expect(page.getByText(t(m.clients_none))).toBeVisible()

  await page.getByRole('button', { name: t(m.clients_create) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t(m.account_name)).fill('Intranet')
  await dialog.getByLabel(t(m.clients_redirects)).fill('https://evil.example.com/callback')
  await dialog.getByRole('button', { name: t(m.clients_create) }).click()
  await expect(dialog.getByText(t(m.form_redirect_address))).toBeVisible()
  await expectAccessible(page)
  await dialog
    .getByLabel(t(m.clients_redirects))
    .fill(`${defaultUrl}/callback\nhttp://localhost/callback`)
  await dialog.getByRole('button', { name: t(m.clients_create) }).click()
  await expect(dialog.getByText(t(m.clients_secret_once))).toBeVisible()
  const secret = await dialog.getByText(/^slipway_cs_/).textContent()
  await dialog.getByRole('button', { name: t(m.clients_copy_secret) }).click()
  await expect(dialog.getByText(t(m.shell_copied))).toBeAttached()
  await dialog.getByRole('button', { name: t(m.clients_done) }).click()

  await expect(page.getByRole('heading', { name: 'Intranet' })).toBeVisible()
  await expect(page.getByText(/^client_[0-9a-f]{32}$/)).toBeVisible()
  await expect(page.getByText('http://localhost/callback')).toBeVisible()
  await expect(page.getByText(String(secret))).toHaveCount(0)
  await expectAccessible(page)

  const clientId = (await page.getByText(/^client_[0-9a-f]{32}$/).textContent()) ?? ''
  const named = { name: 'Intranet' }
  await page.getByRole('button', { name: t(m.clients_examples_named, named) }).click()
  const examples = page.getByRole('dialog', { name: t(m.clients_examples_named, named) })
  await expect(examples.getByRole('code')).toContainText(`clientId: '${clientId}'`)
  await expectAccessible(page)
  await examples.getByLabel(t(m.clients_example_of)).selectOption('mod_auth_openidc (Apache)')
  await expect(examples.getByRole('code')).toContainText(`OIDCClientID ${clientId}`)
  await examples.getByRole('button', { name: t(m.clients_copy_example) }).click()
  await expect(examples.getByText(t(m.shell_copied))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(examples).toBeHidden()

  await page.getByRole('button', { name: t(m.clients_secret_add) }).click()
  await expect(page.getByText(/^slipway_cs_/)).toBeVisible()
  // Two secrets are the limit, so the button disappears; the new secret can still be copied.
  await expect(page.getByRole('button', { name: t(m.clients_secret_add) })).toHaveCount(0)
  await expect(page.getByText(/^slipway_cs_/)).toBeVisible()
  const hint = String(secret).slice(-4)
  await page.getByRole('button', { name: t(m.clients_secret_revoke_named, { hint }) }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t(m.clients_secret_revoke), exact: true })
    .click()
  await expect(page.getByText(t(m.clients_secret_ending, { hint }))).toHaveCount(0)

  await page.getByRole('button', { name: t(m.clients_delete_named, { name: 'Intranet' }) }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t(m.clients_delete), exact: true })
    .click()
  await expect(page.getByText(t(m.clients_none))).toBeVisible()
})

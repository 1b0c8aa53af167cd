import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('the links at the end of a page', () => {
  for (const path of ['/auth/login', '/terms', '/projects', '/no/such/page'])
    test(`are on ${path}, without a status page that is not set`, async ({ page, t, newUser }) => {
      if (path === '/projects') await storeSession(page, await newUser())
      await page.goto(path)
      const links = page.getByRole('contentinfo').getByRole('link')
      await expect(links).toHaveText([
        t(m.shell_documentation),
        t(m.legal_terms_title),
        t(m.legal_privacy_title),
      ])
      await expect(links.first()).toHaveAttribute('href', /\/api\/docs$/)
    })

  test('follow the language', async ({ page }) => {
    await page.goto('/auth/login')
    const link = page.getByRole('contentinfo').getByRole('link').first()
    await expect(link).toHaveText('Documentation')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('tr')
    await expect(link).toHaveText('Belgeler')
  })
})

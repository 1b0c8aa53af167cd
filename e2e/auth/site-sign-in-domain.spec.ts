import { randomBytes } from 'node:crypto'
import { m } from '@slipway/phrases'
import { phrases } from '../../apps/site/src/phrases.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const [language, locale, name] of [
  ['en', 'en-GB', 'Harbour Cafe'],
  ['tr', 'tr-TR', 'Örnek Çiçekçilik'],
] as const) {
  test.describe(`a site at its custom domain, in ${locale}`, () => {
    test.use({ locale })

    test("the editor opens from the project's page and leads back to it", async ({
      page,
      t,
      newUser,
      service,
    }) => {
      const words = phrases[language]
      const user = await newUser()
      const domain = `www-${randomBytes(4).toString('hex')}.example.com`
      const { key } = await createReadyProject(user, name, domain)
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}`)

      const [site] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: t(m.projects_open_named, { name }) }).click(),
      ])
      await expect(heading(site, words.editTitle)).toBeVisible()
      const origin = `http://${domain}:${service.sitesPort}`
      expect(site.url()).toBe(`${origin}/yk/app`)
      await expect(site.getByText(words.signedInAs(user.name))).toBeVisible()
      await site.getByLabel(words.title, { exact: true }).fill('Open every day')
      await site.getByRole('button', { name: words.save }).click()
      await expect(site.getByText(words.saved)).toBeVisible()
      await expectAccessible(site)

      await site.getByRole('link', { name: words.toConsole }).click()
      await expect(heading(site, name)).toBeVisible()
      expect(new URL(site.url()).pathname).toBe(`/projects/view/${key}`)
      await site.goBack()
      await site.getByRole('link', { name: words.viewPage }).click()
      await expect(heading(site, 'Open every day')).toBeVisible()
      expect(site.url()).toBe(`${origin}/`)

      await site.goto(`${origin}/yk/app`)
      await site.getByRole('button', { name: words.signOut }).click()
      await expect(site.getByText(words.signedOut)).toBeVisible()
      expect(new URL(site.url()).origin).toBe(origin)
      await site.goto(`${origin}/yk/app`)
      await expect(heading(site, words.signInTitle)).toBeVisible()
    })
  })
}

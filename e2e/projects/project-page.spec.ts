import type { Locator } from '@playwright/test'
import { viewProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertPicture } from '../harness/database.ts'
import { projectRow } from '../harness/project-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { textsIn } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

test.describe('/projects/view/{key}', () => {
  test('names the team of the project and links to it', async ({ page, newUser }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const { key, name } = await createReadyProject(user, 'Harbour Cafe')
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    await expect(heading(page, name)).toBeVisible()
    await page.getByRole('definition').getByRole('link', { name: team.name }).click()
    await expect(heading(page, team.name)).toBeVisible()
    await expect(page).toHaveURL(`/teams/view/${team.id}`)
  })

  for (const width of [390, 1440])
    test(`links to the public site and to its editor, at ${width} px`, async ({
      page,
      t,
      newUser,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const user = await newUser()
      const { key, name, defaultUrl } = await createReadyProject(user, 'Harbour Cafe')
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}`)
      const visitLink = page.getByRole('link', { name: t(m.projects_visit_named, { name }) })
      const editLink = page.getByRole('link', { name: t(m.projects_open_named, { name }) })
      await expect(visitLink).toHaveText(new RegExp(`^${t(m.projects_visit)}`))
      const [visitBox, editBox] = [await visitLink.boundingBox(), await editLink.boundingBox()]
      expect(visitBox?.y).toBe(editBox?.y)
      await expectAccessible(page)
      const [site] = await Promise.all([page.waitForEvent('popup'), visitLink.click()])
      await expect(site.getByRole('banner').getByText(name)).toBeVisible()
      expect(site.url()).toBe(`${defaultUrl}/`)
    })

  test('shows a picture of the site instead of a drawing once the picture is taken', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id, key, name } = await createReadyProject(user, 'Harbour Cafe')
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    await expect(heading(page, name)).toBeVisible()
    const picture = page.getByRole('img', { name: t(m.projects_picture, { name }) })
    await expect(picture).toHaveCount(0)
    await waitUntilConnected(page, t)
    await insertPicture(database, id)
    await expect(picture).toHaveJSProperty('naturalWidth', 1)
    // The picture ends at the border of its card.
    const bottomOf = async (part: Locator) => {
      const box = await part.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    const card = page.getByRole('region', { name: t(m.projects_site) })
    expect(await bottomOf(picture)).toBeCloseTo((await bottomOf(card)) - 1, 0)
    await expectAccessible(page)
    await page.goto('/projects')
    await expect(projectRow(page, name).locator('img')).toHaveJSProperty('naturalWidth', 1)
  })

  for (const width of [390, 1440])
    test(`keeps its layout when the project has loaded, at ${width} px`, async ({
      page,
      t,
      newUser,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const user = await newUser()
      const { key, name } = await createReadyProject(user, 'Harbour Cafe')
      await storeSession(page, user)
      const delay = Promise.withResolvers<void>()
      await page.route(`**/api${viewProject.path.replace(':key', key)}`, async (route) => {
        await delay.promise
        await route.continue()
      })
      await page.goto(`/projects/view/${key}`)
      const releases = page.getByRole('heading', { name: t(m.release_title), exact: true })
      await expect(releases).toBeVisible()
      const before = await releases.boundingBox()
      delay.resolve()
      await expect(heading(page, name)).toBeVisible()
      // The overview renders after the header.
      await expect.poll(() => releases.boundingBox()).toEqual(before)
    })
})

test.describe('the name of a region', () => {
  test.use({ locale: 'tr-TR' })

  test("is in the console's language and changes with it", async ({ page, newUser }) => {
    const [turkish, english] = [textsIn('tr'), textsIn('en')]
    const user = await newUser()
    const { key } = await createReadyProject(user, 'Örnek Çiçekçilik')
    await storeSession(page, user)
    await page.goto('/projects/create')
    const options = (label: string) =>
      page.getByRole('radiogroup', { name: label }).locator('label').allInnerTexts()
    await expect
      .poll(() => options(turkish(m.projects_region)))
      .toEqual(['Avrupa', 'Kuzey Amerika'])
    await page.goto(`/projects/view/${key}`)
    const details = page.getByRole('definition')
    await expect(details.getByText('Avrupa', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: turkish(m.shell_language) }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(details.getByText('Europe', { exact: true })).toBeVisible()
    await page
      .getByRole('link', { name: english(m.projects_title), exact: true })
      .first()
      .click()
    await page.getByRole('link', { name: english(m.projects_create) }).click()
    await expect
      .poll(() => options(english(m.projects_region)))
      .toEqual(['Europe', 'North America'])
  })
})

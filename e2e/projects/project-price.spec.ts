import { changeDiscount } from '@slipway/contract/products'
import { projectPrice } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { joinTeam } from '../harness/database.ts'
import { selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

for (const { locale, listPrice, discountedPrice } of [
  {
    locale: 'en-GB',
    listPrice: { hour: '$0.01250', month: '$8.40' },
    discountedPrice: { hour: '$0.01000', month: '$6.72' },
  },
  {
    locale: 'tr-TR',
    listPrice: { hour: '$0,01250', month: '$8,40' },
    discountedPrice: { hour: '$0,01000', month: '$6,72' },
  },
])
  test.describe(`the price of a new project, in ${locale}`, () => {
    test.use({ locale })

    test("shows who pays and, for the user's own teams, the user's discount", async ({
      page,
      t,
      newUser,
      operator,
      database,
    }) => {
      const user = await newUser()
      const ownedTeam = await ownTeam(user)
      await storeSession(page, user)
      await page.goto('/projects/create')
      const price = page.getByRole('region', { name: t(m.projects_price) })
      await expect(price).toContainText(t(m.projects_price_month, listPrice))
      await expect(price).toContainText(t(m.projects_price_hour, listPrice))
      await expect(price).toContainText(t(m.projects_price_rule, { hours: '672' }))
      await expect(price).toContainText(t(m.projects_price_yours))
      await expectAccessible(page)

      const otherTeam = await ownTeam(await newUser({ name: 'Grace Example' }))
      await joinTeam(database, { userId: ownedTeam.userId, teamId: otherTeam.id })
      const body = { email: user.email, productId: 'website', discount: '0.0025' }
      await operator(changeDiscount, { body })
      await page.reload()
      await expect(price).toContainText(t(m.projects_price_hour, listPrice))
      await expect(price).toContainText(t(m.projects_price_owners))
      await page.getByLabel(t(m.projects_team)).selectOption(ownedTeam.name)
      await expect(price).toContainText(t(m.projects_price_month, discountedPrice))
      await expect(price).toContainText(t(m.projects_price_hour, discountedPrice))
      await expect(price).toContainText(t(m.projects_price_discount))
      await expect(price).toContainText(t(m.projects_price_yours))
      await page.getByLabel(t(m.projects_team)).selectOption(otherTeam.name)
      await expect(price).toContainText(t(m.projects_price_hour, listPrice))
      await expect(price).not.toContainText(t(m.projects_price_discount))
    })
  })

test('a price that fails to load is reported, and the project is created all the same', async ({
  page,
  t,
  newUser,
}) => {
  await page.route(`**/api${projectPrice.path}`, (route) =>
    route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
  )
  await storeSession(page, await newUser())
  await page.goto('/projects/create')
  const price = page.getByRole('region', { name: t(m.projects_price) })
  await expect(price).toContainText(t(m.projects_price_unknown))
  await page.getByLabel(t(m.projects_name), { exact: true }).fill('Priceless')
  await selectRegion(page)
  await page.getByRole('button', { name: t(m.projects_create) }).click()
  await expect(heading(page, 'Priceless')).toBeVisible()
})

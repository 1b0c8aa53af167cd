import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardName,
  cardNumbers,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import { atBothZooms, expectReachableControls, zoomed } from '../harness/layout.ts'
import { insertOwnProject, openDeleteDialog } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

// In Turkish, because its texts are longer; every-screen.spec.ts tests the screens themselves.
test.use({ locale: 'tr-TR', viewport: zoomed, deviceScaleFactor: 2 })

test('at 200 % and with text twice as large, every menu and dialog is within reach', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  const project = await insertOwnProject(database, user, { name: 'Harbour Cafe' })
  await addCard(user)
  await addCard(user, cardNumbers.troy)
  await storeSession(page, user)
  const check = async (role: 'dialog' | 'alertdialog' | 'menu') => {
    await atBothZooms(page, () => expectReachableControls(page, role))
    await page.keyboard.press('Escape')
    await expect(page.getByRole(role)).toHaveCount(0)
  }

  await page.goto(`/projects/view/${project.key}`)
  await expect(heading(page, project.name)).toBeVisible()
  await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
  await check('menu')
  await page.keyboard.press('?')
  await check('dialog')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toBeVisible()
  await check('dialog')
  await openDeleteDialog(page, t)
  await check('alertdialog')

  await page.goto(overviewPath)
  await menuButton(page, t, cardName(t, m.cards_visa, cardNumbers.visa)).click()
  await page.getByRole('menuitem', { name: t(m.cards_edit) }).click()
  await check('dialog')
})

import { m } from '@slipway/phrases'
import {
  addCard,
  cardNamed,
  cardNumbers,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import { expectAllInReach, inBothSizes, zoomed } from '../harness/layout.ts'
import { askToDelete, insertOwnProject } from '../harness/project-screens.ts'
import { heading, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'

// In the language with the longer words. The screens themselves are in screens.spec.ts.
test.use({ locale: 'tr-TR', viewport: zoomed, deviceScaleFactor: 2 })

test('at 200 %, and with letters twice as large, all that lies over a page is in reach', async ({
  page,
  say,
  newPerson,
  database,
}) => {
  const person = await newPerson()
  const project = await insertOwnProject(database, person, { name: 'Harbour Cafe' })
  await addCard(person)
  await addCard(person, cardNumbers.troy)
  await signIn(page, person)
  const check = async (role: 'dialog' | 'alertdialog' | 'menu') => {
    await inBothSizes(page, () => expectAllInReach(page, role))
    await page.keyboard.press('Escape')
    await expect(page.getByRole(role)).toHaveCount(0)
  }

  await page.goto(`/projects/view/${project.key}`)
  await expect(heading(page, project.name)).toBeVisible()
  await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
  await check('menu')
  await page.keyboard.press('?')
  await check('dialog')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toBeVisible()
  await check('dialog')
  await askToDelete(page, say)
  await check('alertdialog')

  await page.goto(overviewPath)
  await menuButton(page, say, cardNamed(say, m.cards_visa, cardNumbers.visa)).click()
  await page.getByRole('menuitem', { name: say(m.cards_edit) }).click()
  await check('dialog')
})

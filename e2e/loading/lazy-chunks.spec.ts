import { verifyEmail } from '@slipway/contract/auth'
import { m } from '@slipway/phrases'
import { mailedToken } from '../harness/mailbox.ts'
import { heading, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('without the code that comes on demand', () => {
  // A module that could not be fetched is an error without a stack.
  test.use({ expectedErrors: [/^$|net::ERR_FAILED/] })

  test('the browser asks before what was typed is lost', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    await page.route('**/assets/leave-question-*.js', (route) => route.abort())
    await page.goto('/projects/create')
    const name = page.getByLabel(say(m.projects_name), { exact: true })
    await name.fill('Harbour Cafe')
    const answers = [false, true]
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.message())
      if (answers.shift()) await dialog.accept()
      else await dialog.dismiss()
    })
    const cancel = page.getByRole('link', { name: say(m.shell_cancel) })
    await cancel.click()
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]).toContain(say(m.unsaved_title))
    await expect(name).toHaveValue('Harbour Cafe')
    await cancel.click()
    await expect(heading(page, say(m.projects_title))).toBeVisible()
  })

  test('a question that comes later is asked all the same', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    const file = '**/assets/leave-question-*.js'
    await page.route(file, (route) => route.abort())
    await page.goto('/projects/create')
    await page.getByLabel(say(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await page.unroute(file)
    await page.getByRole('link', { name: say(m.shell_cancel) }).click()
    await expect(page.getByRole('alertdialog')).toContainText(say(m.unsaved_title))
  })

  test('a menu stays closed, and opens once its code is there', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    const file = '**/assets/menu-popup-*.js'
    await page.route(file, (route) => route.abort())
    await page.goto('/teams')
    const button = page.getByRole('button', { name: say(m.shell_language) })
    await button.click()
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await page.unroute(file)
    await button.click()
    await expect(page.getByRole('menu')).toBeVisible()
  })
})

test('/auth/ask-verify goes on by itself when the link is opened elsewhere', async ({
  page,
  say,
  newPerson,
  service,
}) => {
  const person = await newPerson({ verified: false })
  await signIn(page, person)
  const asked = page.waitForResponse('**/api/auth/session')
  await page.goto('/auth/ask-verify')
  await asked
  await person.call(verifyEmail, {
    body: { token: await mailedToken(service.url, person.email, 'verify') },
  })
  await expect(heading(page, say(m.projects_title))).toBeVisible()
})

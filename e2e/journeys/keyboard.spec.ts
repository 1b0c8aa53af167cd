import type { Locator, Page } from '@playwright/test'
import { createClient } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { cardNumbers } from '../harness/billing-screens.ts'
import { insertInvoice, payButton } from '../harness/invoice-screens.ts'
import { mailedToken } from '../harness/mailbox.ts'
import { editButton } from '../harness/project-screens.ts'
import { heading, tabTo } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { newEmail, password } from '../harness/user.ts'

/** Moves to a control with Tab and expects a visible focus ring. */
async function focusByTab(target: Locator, key?: 'Tab' | 'Shift+Tab') {
  await tabTo(target, key)
  await expect(target).toBeInViewport({ ratio: 1 })
  await expect(target).toHaveCSS('outline-style', 'solid')
  await expect(target).toHaveCSS('outline-width', '2px')
}

async function pressByKey(target: Locator, key?: 'Tab' | 'Shift+Tab') {
  await focusByTab(target, key)
  await target.page().keyboard.press('Enter')
}

async function type(page: Page, label: string, text: string) {
  await focusByTab(page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}

/** Selects an option by typing its first letters. */
async function choose(page: Page, label: string, text: string) {
  const list = page.getByLabel(label, { exact: true })
  await focusByTab(list)
  await page.keyboard.type(text)
  await expect(list.locator('option:checked')).toHaveText(new RegExp(`^${text}`))
}

/**
 * Expects the page, and the focus at its start: the heading, or the main element while it loads.
 */
async function expectPage(page: Page, title: string | RegExp) {
  await expect(heading(page, title)).toBeVisible()
  await expect(page.locator('main:focus, main h1:focus')).toHaveCount(1)
}

/** Opens an area through the navigation, from any focus position. */
async function goTo(page: Page, t: Translate, area: string, title: string) {
  const navigation = page.getByRole('navigation', { name: t(m.shell_navigation) })
  await pressByKey(navigation.getByRole('link', { name: area, exact: true }), 'Shift+Tab')
  await expectPage(page, title)
}

test('the whole journey works without a mouse', async ({ page, t, service, database }) => {
  const email = newEmail()
  const name = 'Ada Example'

  await test.step('sign-up', async () => {
    await page.goto('/')
    await pressByKey(page.getByRole('button', { name: t(m.shell_alpha_agree) }))
    await pressByKey(page.getByRole('link', { name: t(m.auth_sign_up) }))
    await expect(heading(page, t(m.auth_sign_up_title))).toBeVisible()
    await type(page, t(m.auth_name), name)
    await type(page, t(m.auth_email), email)
    await type(page, t(m.auth_password), password)
    const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
    await focusByTab(captcha)
    await page.keyboard.press('Space')
    await expect(captcha).toBeChecked()
    await expect(captcha).toBeFocused()
    await pressByKey(page.getByRole('button', { name: t(m.auth_sign_up), exact: true }))
    await expectPage(page, t(m.auth_ask_verify_title))
  })

  await test.step('verification', async () => {
    await page.goto(`/auth/verify?token=${await mailedToken(service.url, email, 'verify')}`)
    await pressByKey(page.getByRole('button', { name: t(m.auth_continue) }))
    await expectPage(page, t(m.projects_title))
  })

  const token = await page.evaluate<string>("localStorage.getItem('token')")
  const call = createClient({ base: `${service.url}/api`, token: () => token, locale: () => 'en' })
  await insertInvoice(database, {
    name,
    email,
    password,
    token,
    serverUrl: service.url,
    call,
  })

  await test.step('creating and renaming a project', async () => {
    // Before the list is loaded the page has one link, afterwards a second one.
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await pressByKey(page.getByRole('link', { name: t(m.projects_create) }).first())
    const field = page.getByLabel(t(m.projects_name), { exact: true })
    await expect(field).toBeFocused()
    await page.keyboard.type('Harbour Cafe')
    await focusByTab(
      page
        .getByRole('radiogroup', { name: t(m.projects_region) })
        .getByRole('radio')
        .first(),
    )
    await page.keyboard.press('Space')
    await pressByKey(page.getByRole('button', { name: t(m.projects_create) }))
    await expectPage(page, 'Harbour Cafe')
    const editName = editButton(page, t, t(m.projects_name))
    await pressByKey(editName)
    await expect(page.getByRole('textbox', { name: t(m.projects_name) })).toBeFocused()
    await page.keyboard.type('Old Harbour')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Old Harbour')).toBeVisible()
    await expect(editName).toBeFocused()
  })

  await test.step('opening the project from the list', async () => {
    await goTo(page, t, t(m.shell_projects), t(m.projects_title))
    await pressByKey(page.getByRole('link', { name: 'Old Harbour', exact: true }))
    await expectPage(page, 'Old Harbour')
  })

  await test.step('inviting a colleague', async () => {
    await goTo(page, t, t(m.shell_teams), t(m.teams_title))
    await pressByKey(page.getByRole('main').getByRole('rowheader').getByRole('link'))
    await expectPage(page, /./)
    const colleague = newEmail()
    await pressByKey(page.getByRole('button', { name: t(m.teams_invite), exact: true }))
    await expect(page.getByLabel(t(m.auth_email), { exact: true })).toBeFocused()
    await page.keyboard.type(colleague)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(t(m.auth_email), { exact: true })).toBeFocused()
    await expect(page.getByRole('main').getByText(colleague, { exact: true })).toBeVisible()
  })

  await test.step('opening a ticket', async () => {
    await goTo(page, t, t(m.shell_support), t(m.support_title))
    await pressByKey(page.getByRole('link', { name: t(m.support_create) }).first())
    await expect(page.getByLabel(t(m.support_subject), { exact: true })).toBeFocused()
    await page.keyboard.type('Example subject')
    await type(page, t(m.support_message), 'Example message')
    await pressByKey(page.getByRole('button', { name: t(m.support_create) }))
    await expectPage(page, 'Example subject')
  })

  await test.step('adding a card', async () => {
    await goTo(page, t, t(m.shell_billing), t(m.invoices_overview_title))
    await pressByKey(page.getByRole('link', { name: t(m.cards_add) }))
    await expect(heading(page, t(m.cards_add_title))).toBeVisible()
    const number = page.getByLabel(t(m.cards_number), { exact: true })
    await number.waitFor()
    if (!(await number.and(page.locator(':focus')).count())) await focusByTab(number)
    await page.keyboard.type(cardNumbers.visa)
    await type(page, t(m.cards_holder), name)
    await choose(page, t(m.cards_expire_month), '12')
    await choose(page, t(m.cards_expire_year), String(new Date().getUTCFullYear() + 2))
    await type(page, t(m.cards_address), 'Rıhtım Caddesi 5')
    await type(page, t(m.cards_district), 'Kadıköy')
    await type(page, t(m.cards_city), 'İstanbul')
    await choose(page, t(m.cards_country), t(m.cards_country_turkey))
    await pressByKey(page.getByRole('button', { name: t(m.cards_add_action) }))
    await expect(heading(page, t(m.invoices_overview_title))).toBeVisible()
    // The focus is on the new card, not at the start of the page.
    await expect(page.getByRole('listitem').and(page.locator(':focus'))).toHaveCount(1)
  })

  await test.step('paying', async () => {
    await pressByKey(page.getByRole('link', { name: t(m.invoices_make_payment) }))
    await expectPage(page, t(m.payments_screen_title))
    await pressByKey(payButton(page, t, '8.40'))
    await expect(page.getByText(t(m.payments_screen_paid))).toBeVisible()
    await expectPage(page, /./)
  })

  await test.step('logging out', async () => {
    await pressByKey(page.getByRole('button', { name: t(m.shell_user_menu) }), 'Shift+Tab')
    const logOutItem = page.getByRole('menuitem', { name: t(m.shell_logout) })
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await expect(logOutItem).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(page, t(m.auth_login_title))
  })
})

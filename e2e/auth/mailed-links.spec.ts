import { forgotPassword, verifyEmail } from '@slipway/contract/auth'
import { serviceLimits } from '@slipway/contract/service-limits'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession, submitLogin } from '../harness/auth-screens.ts'
import { mailedToken } from '../harness/mailbox.ts'
import { focusWindow, heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail } from '../harness/user.ts'

test.describe('/auth/verify', () => {
  test('a wrong link shows an error and leads to a new email', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser({ verified: false }))
    await page.goto('/auth/verify?token=wrong')
    await expect(page.getByRole('alert')).toContainText(t(m.auth_verify_failed))
    await expect(page.getByRole('alert')).toContainText(t(m.error_invalid_token))
    await expectAccessible(page)
    await page.getByRole('link', { name: t(m.auth_verify_new_email) }).click()
    await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
  })

  test('a link without a token shows an error', async ({ page, t }) => {
    await page.goto('/auth/verify')
    await expect(page.getByRole('alert')).toContainText(t(m.auth_verify_failed))
    await expect(page.getByRole('alert')).toContainText(t(m.error_invalid_params))
  })

  test('a link that is followed twice succeeds twice', async ({ page, t, newUser, service }) => {
    const user = await newUser({ verified: false })
    const token = await mailedToken(service.url, user.email, 'verify')
    await storeSession(page, user)
    for (let visit = 1; visit <= 2; visit++) {
      await page.goto(`/auth/verify?token=${token}`)
      await expect(page.getByText(t(m.auth_verified))).toBeVisible()
    }
    await page.getByRole('link', { name: t(m.auth_continue_to_projects) }).click()
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })

  test('requires the password of a visitor and rejects a wrong one', async ({
    page,
    t,
    newUser,
    service,
  }) => {
    const user = await newUser({ verified: false })
    await page.goto(`/auth/verify?token=${await mailedToken(service.url, user.email, 'verify')}`)
    await expect(page.getByText(t(m.auth_verify_password_text))).toBeVisible()
    await expect(page).toHaveURL('/auth/verify')
    await expectAccessible(page)
    const verify = page.getByRole('button', { name: t(m.auth_verify_action) })
    await verify.click()
    await expect(page.getByRole('alert')).toHaveText(t(m.form_enter_password))
    await page.getByLabel(t(m.auth_password), { exact: true }).fill('Wrong-horse7')
    await verify.click()
    await expect(page.getByRole('alert')).toHaveText(t(m.auth_verify_wrong_password))
    await expectAccessible(page)
    await page.getByLabel(t(m.auth_password), { exact: true }).fill(user.password)
    await verify.click()
    await expect(page.getByText(t(m.auth_verified))).toBeVisible()
    await expect(page.getByText(t(m.auth_verified_continue))).toBeVisible()
    await page.getByRole('link', { name: t(m.auth_login) }).click()
    await submitLogin(page, t, user)
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })

  test('the owner of the mailbox takes over an account that another person created', async ({
    page,
    t,
    newUser,
    otherBrowser,
    service,
  }) => {
    const stranger = await newUser({ verified: false })
    const otherPage = await otherBrowser()
    await storeSession(otherPage, stranger)
    await otherPage.goto('/auth/ask-verify')
    await expect(heading(otherPage, t(m.auth_ask_verify_title))).toBeVisible()

    const token = await mailedToken(service.url, stranger.email, 'verify')
    await page.goto(`/auth/verify?token=${token}`)
    await page.getByRole('button', { name: t(m.auth_verify_set_password) }).click()
    await expect(heading(page, t(m.auth_reset_title))).toBeVisible()
    const password = 'Another-horse8'
    await page.getByLabel(t(m.auth_new_password), { exact: true }).fill(password)
    await page.getByLabel(t(m.auth_confirm_password)).fill(password)
    await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
    await expect(page.getByText(t(m.auth_reset_done))).toBeVisible()
    await page.getByRole('link', { name: t(m.auth_login) }).click()
    await submitLogin(page, t, { email: stranger.email, password })
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()

    await focusWindow(otherPage)
    await expect(heading(otherPage, t(m.auth_login_title))).toBeVisible()
    await submitLogin(otherPage, t, stranger)
    await expect(otherPage.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
  })

  test('the token is removed from the URL', async ({ page, t }) => {
    await page.goto('/auth/verify?token=wrong')
    await expect(page.getByText(t(m.auth_verify_failed))).toBeVisible()
    await expect(page).toHaveURL('/auth/verify')
  })
})

test.describe('/auth/ask-verify', () => {
  test('is shown to an unverified user, and emails the link until too many were requested', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser({ verified: false }))
    await page.goto('/projects')
    await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: t(m.auth_ask_verify_action) }).click()
    await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeVisible()
    const resendButton = page.getByRole('button', { name: t(m.auth_ask_verify_again) })
    for (let mails = 2; mails < serviceLimits.emailsPerAddressAndKind; mails++) {
      await resendButton.click()
      await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeVisible()
    }
    await resendButton.click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_action_limit_reached))
    await expectAccessible(page)
  })

  test('continues once the link is followed on another device', async ({
    page,
    t,
    newUser,
    otherBrowser,
    service,
  }) => {
    const user = await newUser({ verified: false })
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
    const phone = await otherBrowser()
    await phone.goto(`/auth/verify?token=${await mailedToken(service.url, user.email, 'verify')}`)
    await phone.getByLabel(t(m.auth_password), { exact: true }).fill(user.password)
    await phone.getByRole('button', { name: t(m.auth_verify_action) }).click()
    await expect(phone.getByText(t(m.auth_verified))).toBeVisible()
    await focusWindow(page)
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })

  test('continues when the link is opened in another tab', async ({
    page,
    t,
    newUser,
    service,
  }) => {
    const user = await newUser({ verified: false })
    await storeSession(page, user)
    const response = page.waitForResponse('**/api/auth/session')
    await page.goto('/auth/ask-verify')
    await response
    await user.call(verifyEmail, {
      body: { token: await mailedToken(service.url, user.email, 'verify') },
    })
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test('stores the sent email for other pages, but not for another account', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser({ verified: false }))
    await page.goto('/projects')
    await page.getByRole('button', { name: t(m.auth_ask_verify_action) }).click()
    await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeVisible()
    await page.goto('/projects')
    await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeVisible()
    await expect(page.getByText(t(m.auth_ask_verify_text))).toBeHidden()

    await storeSession(page, await newUser({ verified: false }))
    await page.goto('/projects')
    await expect(page.getByText(t(m.auth_ask_verify_text))).toBeVisible()
    await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeHidden()
  })

  test('lets the user log in as another user', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser({ verified: false }))
    await page.goto('/auth/ask-verify')
    await page.getByRole('button', { name: t(m.shell_logout) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  })
})

test.describe('/auth/forgot-password', () => {
  for (const known of [true, false])
    test(`shows the same for ${known ? 'a known' : 'an unknown'} address`, async ({
      page,
      t,
      newUser,
    }) => {
      const email = known ? (await newUser()).email : newEmail()
      await page.goto('/auth/forgot-password')
      await page.getByLabel(t(m.auth_email)).fill(email)
      await page.getByRole('button', { name: t(m.auth_forgot_action) }).click()
      await expect(page.getByText(t(m.auth_forgot_sent, { email }))).toBeVisible()
      await expectAccessible(page)
    })

  test('sends the email again or to another address, until too many were requested', async ({
    page,
    t,
  }) => {
    const email = newEmail()
    const other = newEmail()
    const field = page.getByLabel(t(m.auth_email))
    const resendButton = page.getByRole('button', { name: t(m.auth_ask_verify_again) })
    await page.goto('/auth/forgot-password')
    await field.fill(email)
    await page.getByRole('button', { name: t(m.auth_forgot_action) }).click()
    for (let mails = 1; mails < serviceLimits.emailsPerAddressAndKind; mails++) {
      await expect(page.getByText(t(m.auth_forgot_sent, { email }))).toBeVisible()
      const sent = page.waitForResponse(`**/api${forgotPassword.path}`)
      await resendButton.click()
      expect((await sent).ok()).toBe(true)
    }
    await expect(page.getByText(t(m.auth_forgot_sent, { email }))).toBeVisible()
    await resendButton.click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_action_limit_reached))
    await expect(page.getByText(t(m.auth_forgot_sent, { email }))).toBeHidden()
    await expectAccessible(page)

    await page.getByRole('button', { name: t(m.auth_forgot_other_address) }).click()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(email)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await field.fill(other)
    await field.press('Enter')
    await expect(page.getByText(t(m.auth_forgot_sent, { email: other }))).toBeVisible()
  })

  test('asks for an email address', async ({ page, t }) => {
    await page.goto('/auth/forgot-password')
    await page.getByRole('button', { name: t(m.auth_forgot_action) }).click()
    await expect(page.getByRole('alert')).toHaveText(t(m.form_enter_email))
    await expect(page.getByLabel(t(m.auth_email))).toBeFocused()
    await expectAccessible(page)
  })

  test.describe('in Turkish', () => {
    test.use({ locale: 'tr-TR' })

    test("shows the rate limit's text in English", async ({ page, t, newUser }) => {
      const { email, call } = await newUser()
      for (let mails = 1; mails <= serviceLimits.emailsPerAddressAndKind; mails++)
        await call(forgotPassword, { body: { email } })
      await page.goto('/auth/forgot-password')
      await page.getByLabel(t(m.auth_email)).fill(email)
      await page.getByRole('button', { name: t(m.auth_forgot_action) }).click()
      const message = page.getByRole('alert')
      await expect(message).toHaveText(
        'You have reached limit of sending email. Please wait a few minutes and retry',
      )
      await expect(message.locator('[lang=en]')).toBeVisible()
      await expectAccessible(page)
    })
  })
})

test.describe('/auth/reset-password', () => {
  test('a token sets a new password once and ends every session', async ({
    page,
    t,
    newUser,
    otherBrowser,
    service,
  }) => {
    const user = await newUser()
    const otherPage = await otherBrowser()
    await storeSession(otherPage, user)
    await otherPage.goto('/projects')
    await expect(otherPage.getByText(t(m.projects_empty))).toBeVisible()

    await user.call(forgotPassword, { body: { email: user.email } })
    const token = await mailedToken(service.url, user.email, 'reset-password')
    await page.goto(`/auth/reset-password?token=${token}`)
    await expect(heading(page, t(m.auth_reset_title))).toBeVisible()
    await expect(page).toHaveURL('/auth/reset-password')
    await expectAccessible(page)
    const password = 'Another-horse8'
    await page.getByLabel(t(m.auth_new_password), { exact: true }).fill(password)
    await page.getByLabel(t(m.auth_confirm_password)).fill(password)
    await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
    await expect(page.getByText(t(m.auth_reset_done))).toBeVisible()
    await expectAccessible(page)
    await expect(heading(otherPage, t(m.auth_login_title))).toBeVisible()
    await page.reload()
    await expect(page.getByText(t(m.auth_reset_done))).toBeVisible()
    await expect(page.getByLabel(t(m.auth_new_password), { exact: true })).toBeHidden()

    await page.getByRole('link', { name: t(m.auth_login) }).click()
    await submitLogin(page, t, user)
    await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
    await submitLogin(page, t, { email: user.email, password })
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()

    await page.goto(`/auth/reset-password?token=${token}`)
    await page.getByLabel(t(m.auth_new_password), { exact: true }).fill(password)
    await page.getByLabel(t(m.auth_confirm_password)).fill(password)
    await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
    await expect(page.getByText(t(m.auth_reset_invalid))).toBeVisible()
  })

  test('a link without a token shows an error', async ({ page, t }) => {
    await page.goto('/auth/reset-password')
    await expect(page.getByRole('alert')).toHaveText(t(m.auth_reset_no_token))
    await expectAccessible(page)
    await page.getByRole('link', { name: t(m.auth_request_new_link) }).click()
    await expect(heading(page, t(m.auth_forgot_title))).toBeVisible()
  })

  test('a link with a wrong token shows an error', async ({ page, t }) => {
    await page.goto('/auth/reset-password?token=wrong')
    await page.getByLabel(t(m.auth_new_password), { exact: true }).fill('Another-horse8')
    await page.getByLabel(t(m.auth_confirm_password)).fill('Another-horse8')
    await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
    await expect(page.getByRole('alert')).toHaveText(t(m.auth_reset_invalid))
  })

  test('requires a strong password, typed twice', async ({ page, t }) => {
    await page.goto('/auth/reset-password?token=any')
    await page.getByLabel(t(m.auth_new_password), { exact: true }).fill('weak')
    await page.getByLabel(t(m.auth_confirm_password)).fill('weak')
    await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
    await expect(page.getByText(t(m.form_enter_strong_password))).toBeVisible()
    await page.getByLabel(t(m.auth_new_password), { exact: true }).fill('Another-horse8')
    await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
    await expect(page.getByText(t(m.form_repeat_password))).toBeVisible()
    await expect(page.getByLabel(t(m.auth_confirm_password))).toBeFocused()
    await expectAccessible(page)
  })
})

import type { Page } from '@playwright/test'
import { day, limits, second } from '@slipway/contract/limits'
import { setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardName,
  cardNumbers,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import { colorOf } from '../harness/element-color.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

test.describe('the connection indicator', () => {
  test.use({ expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`is yellow while connecting, blue when connected and red without a connection: ${colorScheme}`, async ({
      page,
      context,
      t,
      newUser,
    }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 1440, height: 900 })
      const delay = Promise.withResolvers<void>()
      await page.routeWebSocket(/\/common\/ws/, async (socket) => {
        await delay.promise
        socket.connectToServer()
      })
      await storeSession(page, await newUser())
      await page.goto('/projects')
      const indicator = async (state: string, label: string) => {
        const button = page.getByRole('button', { name: state })
        await expect(button.getByText(label, { exact: true })).toBeVisible()
        return colorOf(button.locator('span').first(), 'backgroundColor')
      }
      expect(await indicator(t(m.shell_connecting), t(m.connection_label_connecting))).toBe(
        'yellow',
      )
      delay.resolve()
      expect(await indicator(t(m.shell_connected), t(m.connection_label_live))).toBe('blue')
      await context.setOffline(true)
      expect(await indicator(t(m.shell_disconnected), t(m.connection_label_offline))).toBe('red')
      // A narrower window has no room for the label.
      await page.setViewportSize({ width: 1024, height: 900 })
      await expect(page.getByText(t(m.connection_label_offline), { exact: true })).toBeHidden()
    })
})

const toastOf = (page: Page, t: Translate, text: string) =>
  page
    .getByRole('region', { name: t(m.shell_notifications) })
    .getByRole('listitem')
    .filter({ hasText: text })

test.describe('a toast', () => {
  test('is at the right for five seconds', async ({ page, t, newUser }) => {
    // The number itself, because the console uses the constant.
    expect(limits.toastLifetime).toBe(5 * second)
    await page.clock.install()
    await page.setViewportSize({ width: 1440, height: 900 })
    await storeSession(page, await newUser())
    await page.goto('/account/profile')
    const button = page.getByRole('button', { name: t(m.account_delete) })
    await button.waitFor()
    // From here on the test advances the clock.
    await page.clock.pauseAt(Date.now() + day)
    await button.click()
    const toast = toastOf(page, t, t(m.account_not_implemented))
    await expect(async () => {
      await page.clock.runFor(20)
      expect(await toast.isVisible()).toBe(true)
    }).toPass()
    const box = await toast.boundingBox()
    expect(box?.x).toBeGreaterThan(720)
    // The right edge of the page's content.
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(1440 / 2 + 552)
    expect(box?.y).toBeLessThan(450)
    await heading(page, t(m.account_profile)).hover()
    await page.clock.runFor(4 * second)
    await expect(toast).toBeVisible()
    await page.clock.runFor(second)
    await expect(toast).toBeHidden()
  })

  test('begins its lifetime when its late chunk has arrived', async ({ page, t, newUser }) => {
    const delay = Promise.withResolvers<void>()
    await page.route(/\/assets\/toast-list-[^/]+\.js$/, async (route) => {
      await delay.promise
      await route.continue()
    })
    await page.clock.install()
    await storeSession(page, await newUser())
    await page.goto('/account/profile')
    const chunkRequest = page.waitForRequest(/\/assets\/toast-list-[^/]+\.js$/)
    await page.getByRole('button', { name: t(m.account_delete) }).click()
    await chunkRequest
    await page.clock.fastForward(2 * limits.toastLifetime)
    delay.resolve()
    await expect(toastOf(page, t, t(m.account_not_implemented))).toBeVisible()
  })

  test('is blue for information, green for a success, red for a failure', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    await addCard(user, cardNumbers.visa)
    await addCard(user, cardNumbers.troy)
    const card = cardName(t, m.cards_troy, cardNumbers.troy)
    await storeSession(page, user)
    await page.goto('/account/profile')
    const icons = new Set<string>()
    const colorOfIcon = async (text: string) => {
      const icon = toastOf(page, t, text).locator('svg').first()
      await expect(icon).toBeVisible()
      icons.add(await icon.innerHTML())
      return colorOf(icon)
    }
    await page.getByRole('button', { name: t(m.account_delete) }).click()
    expect(await colorOfIcon(t(m.account_not_implemented))).toBe('blue')

    await page.goto(overviewPath)
    const { allow } = await rejectCalls(page, setDefaultPaymentMethod.path.replace(':id', '*'))
    const markDefault = async () => {
      await menuButton(page, t, card).click()
      await page.getByRole('menuitem', { name: t(m.cards_mark_default) }).click()
    }
    await markDefault()
    const reason = t(m.error_too_many_requests)
    expect(await colorOfIcon(t(m.cards_default_failed, { card, reason }))).toBe('red')
    await allow()
    await markDefault()
    expect(await colorOfIcon(t(m.cards_default_toast, { card }))).toBe('green')
    expect(icons.size).toBe(3)
  })
})

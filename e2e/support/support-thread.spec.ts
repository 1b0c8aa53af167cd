import { replyToTicket } from '@slipway/contract/operator'
import { countUnreadTickets, listOlderMessages, type TicketId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import {
  expectInView,
  linesOf,
  messages,
  openTicket,
  prependMessages,
  supportLink,
  ticketPath,
} from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('a message', () => {
  test('shows the typed text: markup, line breaks, long words, safe links', async ({
    page,
    t,
    newUser,
    operator,
  }) => {
    const user = await newUser({ name: '<b>Ada</b> & Example' })
    const markup = '<img src=x onerror="document.title=1"> <b>bold</b> &amp; {{7*7}}'
    const { id, subject } = await openTicket(user, { subject: markup, message: markup })
    const word = 'w'.repeat(400)
    const text = [
      'First line',
      '',
      '  indented https://example.com/a_(b)?c=d&e=f#g, and (mailto:ada@example.com).',
      'javascript:alert(1) ftp://example.com //example.com readme.md',
      word,
      `https://example.com/${word}`,
    ].join('\n')
    await operator(replyToTicket, { params: { id }, body: { text } })

    await storeSession(page, user)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(ticketPath(id))
    await expect(heading(page, subject)).toBeVisible()
    await expect(messages(page, t).first()).toContainText(markup)
    await expect(messages(page, t).first()).toContainText('<b>Ada</b> & Example')
    await expect(page.getByRole('main').locator('img, b')).toHaveCount(0)

    const reply = messages(page, t).last()
    const firstLine = reply.getByText('First line')
    expect(await firstLine.textContent()).toContain('First line\n\n  indented')
    await expect(firstLine).toHaveCSS('white-space-collapse', 'preserve')
    const links = reply.getByRole('link')
    await expect(links).toHaveCount(3)
    const [web, mail] = [links.nth(0), links.nth(1)]
    await expect(web).toHaveAttribute('href', 'https://example.com/a_(b)?c=d&e=f#g')
    await expect(mail).toHaveAttribute('href', 'mailto:ada@example.com')
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAccessibleName(new RegExp(`\\(${t(m.shell_new_tab)}\\)$`))
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await expectAccessible(page)
  })

  test('shows its exact time on hover', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    const time = messages(page, t).first().locator('time')
    await time.hover()
    await expect(time).toHaveAttribute('title', new RegExp(String(new Date().getFullYear())))
  })
})

test.describe('a reply', () => {
  test('counts as read only when its tab is visible', async ({ page, t, newUser, operator }) => {
    const user = await newUser()
    const { id } = await openTicket(user, { message: linesOf(120) })
    // Simulates a tab in the background: a headless browser's tab is always visible.
    await page.addInitScript(`
      globalThis.isHidden = true
      Object.defineProperty(Document.prototype, 'visibilityState', {
        get: () => (globalThis.isHidden ? 'hidden' : 'visible'),
      })
    `)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    await waitUntilConnected(page, t)
    await expect(messages(page, t)).toHaveCount(1)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const unread = async () => (await user.call(countUnreadTickets)).count
    await operator(replyToTicket, { params: { id }, body: { text: 'Behind a tab' } })
    await expectInView(page, 'Behind a tab')
    await expect(supportLink(page, t, 1)).toBeVisible()
    expect(await unread()).toBe(1)

    await page.evaluate(`
      globalThis.isHidden = false
      document.dispatchEvent(new Event('visibilitychange'))
    `)
    await expect(supportLink(page, t)).toBeVisible()
    expect(await unread()).toBe(0)
  })

  test('does not move a user who reads further up, and is reached by a button', async ({
    page,
    t,
    newUser,
    operator,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user, { message: linesOf(120) })
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    await waitUntilConnected(page, t)
    await expect(messages(page, t)).toHaveCount(1)
    await page.evaluate('scrollTo(0, 0)')
    await expect(heading(page, 'Example subject')).toBeInViewport()

    const reply = (text: string) => operator(replyToTicket, { params: { id }, body: { text } })
    await reply('First reply')
    await reply('Second reply')
    const button = page.getByRole('button', { name: t(m.support_new_reply) })
    await expect(button).toBeInViewport()
    await expect(messages(page, t)).toHaveCount(3)
    expect(await page.evaluate('scrollY')).toBe(0)
    await expect(supportLink(page, t, 1)).toBeVisible()
    await expectAccessible(page)

    await button.click()
    await expectInView(page, 'First reply')
    await expect(messages(page, t).nth(1)).toBeFocused()
    await expect(button).toBeHidden()
    await expect(supportLink(page, t)).toBeVisible()

    // At the end of the thread a new message is shown at once.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await reply('Third reply')
    await expectInView(page, 'Third reply')
    await expect(button).toBeHidden()
  })

  test('is in view when the thread opens; a long one from its start', async ({
    page,
    t,
    newUser,
    operator,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user, { message: linesOf(120) })
    await operator(replyToTicket, { params: { id }, body: { text: `Begin\n${linesOf(120)}` } })
    await storeSession(page, user)
    await page.goto('/support/tickets')
    await page.getByRole('link', { name: /Example subject/ }).click()
    const reply = messages(page, t).last()
    await expect(reply.getByText(t(m.support_team))).toBeInViewport()
  })
})

test.describe('a thread of 2,500 messages', () => {
  test('loads older messages on request and keeps the scroll position', async ({
    page,
    t,
    newUser,
    operator,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await prependMessages(database, id, 2499)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    await waitUntilConnected(page, t)
    await expect(messages(page, t)).toHaveCount(1000)

    const showOlder = page.getByRole('button', { name: t(m.support_show_older) })
    const olderMessages = (count: number) => page.getByText(t(m.support_older_messages, { count }))
    const topMessage = page.getByText('Message 1501', { exact: true })
    await showOlder.scrollIntoViewIfNeeded()
    await expect(olderMessages(1500)).toBeVisible()
    await expectAccessible(page)
    const box = await topMessage.boundingBox()
    await showOlder.click()
    await expect(messages(page, t)).toHaveCount(2000)
    expect((await topMessage.boundingBox())?.y).toBeCloseTo(box?.y ?? Number.NaN, 0)
    await expect(messages(page, t).filter({ has: topMessage })).toBeFocused()
    const sent = page.getByRole('status').filter({ hasText: t(m.support_sent_announcement) })
    await expect(sent).toHaveCount(0)

    // A message that arrives meanwhile is appended, and the older ones stay.
    const reply = { params: { id }, body: { text: 'Here you are' } }
    await operator(replyToTicket, reply)
    await expect(page.getByRole('button', { name: t(m.support_new_reply) })).toBeVisible()
    await expect(messages(page, t)).toHaveCount(2001)
    await expect(olderMessages(500)).toBeAttached()
    expect((await topMessage.boundingBox())?.y).toBeCloseTo(box?.y ?? Number.NaN, 0)

    await showOlder.click()
    await expect(messages(page, t)).toHaveCount(2501)
    await expect(showOlder).toBeHidden()
    await expect(messages(page, t).first()).toContainText('Message 1')
    await expect(messages(page, t).last()).toContainText('Here you are')
  })

  test('explains why older messages failed to load, and loads them on a retry', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await prependMessages(database, id, 1000)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    const showOlder = page.getByRole('button', { name: t(m.support_show_older) })
    await page.route(
      `**/api${listOlderMessages.path.replace(':id', id)}?*`,
      (route) => route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } }),
      { times: 1 },
    )
    await showOlder.click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_too_many_requests))
    await showOlder.click()
    await expect(messages(page, t)).toHaveCount(1001)
    await expect(page.getByRole('alert')).toBeHidden()
  })
})

test.describe('a missing ticket', () => {
  for (const [kind, givenId] of [
    ['that never existed', () => '0199aaaa-0000-7000-8000-000000000000'],
    ['with a malformed id', () => 'none'],
    ['of another user', undefined],
  ] as const)
    test(`${kind} is not found`, async ({ page, t, newUser }) => {
      const id: TicketId | string = givenId?.() ?? (await openTicket(await newUser())).id
      await storeSession(page, await newUser())
      await page.goto(ticketPath(id))
      await expect(page.getByText(t(m.support_missing, { id }))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: t(m.support_show_all) }).click()
      await expect(page.getByText(t(m.support_empty))).toBeVisible()
    })
})

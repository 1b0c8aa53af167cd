import { replyToTicket } from '@slipway/contract/operator'
import { countUnreadTickets, listOlderMessages, type TicketId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { signIn } from '../harness/auth-screens.ts'
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
  test('is the text that was typed: markup, line breaks, long words, safe links', async ({
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

    await signIn(page, user)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(ticketPath(id))
    await expect(heading(page, subject)).toBeVisible()
    await expect(messages(page, t).first()).toContainText(markup)
    await expect(messages(page, t).first()).toContainText('<b>Ada</b> & Example')
    await expect(page.getByRole('main').locator('img, b')).toHaveCount(0)

    const reply = messages(page, t).last()
    const shown = reply.getByText('First line')
    expect(await shown.textContent()).toContain('First line\n\n  indented')
    await expect(shown).toHaveCSS('white-space-collapse', 'preserve')
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

  test('says its exact time to whoever points at it', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await signIn(page, user)
    await page.goto(ticketPath(id))
    const time = messages(page, t).first().locator('time')
    await time.hover()
    await expect(time).toHaveAttribute('title', new RegExp(String(new Date().getFullYear())))
  })
})

test.describe('a reply', () => {
  test('is taken as read only once somebody can have seen it', async ({
    page,
    t,
    newUser,
    operator,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user, { message: linesOf(120) })
    // A tab behind another one: browsers without a window have none, so it is told to be one.
    await page.addInitScript(`
      globalThis.isHidden = true
      Object.defineProperty(Document.prototype, 'visibilityState', {
        get: () => (globalThis.isHidden ? 'hidden' : 'visible'),
      })
    `)
    await signIn(page, user)
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

  test('leaves whoever reads further up where they are, and leads there when wanted', async ({
    page,
    t,
    newUser,
    operator,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user, { message: linesOf(120) })
    await signIn(page, user)
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

    // At the end now: what comes is shown at once.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await reply('Third reply')
    await expectInView(page, 'Third reply')
    await expect(button).toBeHidden()
  })

  test('is where the thread opens, with its beginning when it is long', async ({
    page,
    t,
    newUser,
    operator,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user, { message: linesOf(120) })
    await operator(replyToTicket, { params: { id }, body: { text: `Begin\n${linesOf(120)}` } })
    await signIn(page, user)
    await page.goto('/support/tickets')
    await page.getByRole('link', { name: /Example subject/ }).click()
    const reply = messages(page, t).last()
    await expect(reply.getByText(t(m.support_team))).toBeInViewport()
  })
})

test.describe('a thread of 2,500 messages', () => {
  test('shows older ones when asked to, and leaves the reader where they read', async ({
    page,
    t,
    newUser,
    operator,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await prependMessages(database, id, 2499)
    await signIn(page, user)
    await page.goto(ticketPath(id))
    await waitUntilConnected(page, t)
    await expect(messages(page, t)).toHaveCount(1000)

    const showOlder = page.getByRole('button', { name: t(m.support_show_older) })
    const left = (count: number) => page.getByText(t(m.support_older_messages, { count }))
    const read = page.getByText('Message 1501', { exact: true })
    await showOlder.scrollIntoViewIfNeeded()
    await expect(left(1500)).toBeVisible()
    await expectAccessible(page)
    const place = await read.boundingBox()
    await showOlder.click()
    await expect(messages(page, t)).toHaveCount(2000)
    expect((await read.boundingBox())?.y).toBeCloseTo(place?.y ?? Number.NaN, 0)
    await expect(messages(page, t).filter({ has: read })).toBeFocused()
    const sent = page.getByRole('status').filter({ hasText: t(m.support_sent_announcement) })
    await expect(sent).toHaveCount(0)

    // What comes meanwhile ends the thread, and costs it none of what was asked for.
    const reply = { params: { id }, body: { text: 'Here you are' } }
    await operator(replyToTicket, reply)
    await expect(page.getByRole('button', { name: t(m.support_new_reply) })).toBeVisible()
    await expect(messages(page, t)).toHaveCount(2001)
    await expect(left(500)).toBeAttached()
    expect((await read.boundingBox())?.y).toBeCloseTo(place?.y ?? Number.NaN, 0)

    await showOlder.click()
    await expect(messages(page, t)).toHaveCount(2501)
    await expect(showOlder).toBeHidden()
    await expect(messages(page, t).first()).toContainText('Message 1')
    await expect(messages(page, t).last()).toContainText('Here you are')
  })

  test('says why older ones could not be shown, and shows them when asked again', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await prependMessages(database, id, 1000)
    await signIn(page, user)
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

test.describe('a ticket that is not there', () => {
  for (const [kind, given] of [
    ['that never was', () => '0199aaaa-0000-7000-8000-000000000000'],
    ['with an id that is none', () => 'none'],
    ['of somebody else', undefined],
  ] as const)
    test(`${kind} is not found`, async ({ page, t, newUser }) => {
      const id: TicketId | string = given?.() ?? (await openTicket(await newUser())).id
      await signIn(page, await newUser())
      await page.goto(ticketPath(id))
      await expect(page.getByText(t(m.support_missing, { id }))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: t(m.support_show_all) }).click()
      await expect(page.getByText(t(m.support_empty))).toBeVisible()
    })
})

import { hour, limits } from '@slipway/contract/limits'
import { createTicket, listTickets, sendTicketMessage, viewTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { logOut, storeSession } from '../harness/auth-screens.ts'
import { watchPendingCalls } from '../harness/pending-calls.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import {
  backdateResolution,
  messages,
  openTicket,
  replyField,
  resolveWithoutEvent,
  sendButton,
  ticketPath,
} from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

// Lost responses are errors in the browser's console.
test.use({ expectedErrors: [/status of 503/] })

const urlPattern = (path: string) => `**/api${path.replace(/:\w+/, '*')}`

test.describe('/support/tickets/create', () => {
  test('names the missing fields, and the characters left near the limit', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/support/tickets/create')
    const [subject, message] = [
      page.getByLabel(t(m.support_subject)),
      page.getByLabel(t(m.support_message)),
    ]
    await expect(subject).toBeFocused()
    await page.getByRole('button', { name: t(m.support_create) }).click()
    await expect(page.getByText(t(m.form_enter_subject))).toBeVisible()
    await expect(page.getByText(t(m.form_describe_issue))).toBeVisible()
    await expectAccessible(page)

    const { ticketMessageMax: max, subjectMax } = limits
    const charactersLeft = t(m.support_characters_left, { count: 1 })
    await subject.fill('a'.repeat(subjectMax * 0.8))
    await expect(subject).toHaveAccessibleDescription('')
    await subject.fill(` ${'a'.repeat(subjectMax - 1)} `)
    await expect(subject).toHaveAccessibleDescription(charactersLeft)
    await expect(page.getByRole('status').filter({ hasText: charactersLeft })).toBeAttached()
    await subject.fill('a'.repeat(subjectMax + 1))
    await expect(subject).toHaveAccessibleDescription(t(m.support_characters_over, { count: 1 }))
    await expectAccessible(page)

    await subject.fill('Long story')
    await message.fill('a'.repeat(max * 0.8))
    await expect(message).toHaveAccessibleDescription(t(m.support_message_hint))
    await message.fill(`  ${'a'.repeat(max - 1)}\n`)
    await expect(message).toHaveAccessibleDescription(
      `${t(m.support_message_hint)} ${charactersLeft}`,
    )
    // A screen reader announces the count once the typing pauses.
    await expect(page.getByRole('status').filter({ hasText: charactersLeft })).toBeAttached()
    await message.fill('a'.repeat(max + 2))
    await page.getByRole('button', { name: t(m.support_create) }).click()
    await expect(message).toHaveAccessibleDescription(
      new RegExp(`^${t(m.form_at_most, { max })}.*${t(m.support_characters_over, { count: 2 })}$`),
    )
    await expect(message).toBeFocused()
    await expectAccessible(page)
  })

  test('keeps a draft over a reload and a failure until it is sent', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/support/tickets/create')
    await page.getByLabel(t(m.support_subject)).fill('Half a subject')
    await page.getByLabel(t(m.support_message)).fill('Two\nlines')
    await page.reload()
    await expect(page.getByLabel(t(m.support_subject))).toHaveValue('Half a subject')
    await expect(page.getByLabel(t(m.support_message))).toHaveValue('Two\nlines')

    await page.route(urlPattern(createTicket.path), (route) =>
      route.fulfill({ status: 429, json: { code: 429, error: 'message_limit_reached' } }),
    )
    await page.getByRole('button', { name: t(m.support_create) }).click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_message_limit_reached))
    await expect(page.getByLabel(t(m.support_message))).toHaveValue('Two\nlines')
    await page.unrouteAll()
    await page.getByRole('button', { name: t(m.support_create) }).click()
    await expect(heading(page, 'Half a subject')).toBeVisible()

    await page.goto('/support/tickets/create')
    await expect(page.getByLabel(t(m.support_subject))).toHaveValue('')
    await expect(page.getByLabel(t(m.support_message))).toHaveValue('')
  })

  test('shows no draft to the next user', async ({ page, t, newUser }) => {
    const [first, second] = [await newUser(), await newUser()]
    await storeSession(page, first)
    await page.goto('/support/tickets/create')
    await page.getByLabel(t(m.support_subject)).fill('A secret')
    await storeSession(page, second)
    await page.goto('/support/tickets/create')
    await expect(page.getByLabel(t(m.support_subject))).toHaveValue('')
    await logOut(page, t)
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('A secret')
  })

  test('opens one ticket when the response is lost, also after a reload', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    await storeSession(page, user)
    await page.goto('/support/tickets/create')
    await page.getByLabel(t(m.support_subject)).fill('Sent once')
    await page.getByLabel(t(m.support_message)).fill('Message')
    await page.route(urlPattern(createTicket.path), async (route) => {
      await route.fetch()
      await route.fulfill({ status: 503, json: { code: 503, error: 'unavailable' } })
    })
    await page.getByRole('button', { name: t(m.support_create) }).click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_unavailable))
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('button', { name: t(m.support_create) }).click()
    await expect(heading(page, 'Sent once')).toBeVisible()
    expect(await user.call(listTickets)).toHaveLength(1)
  })
})

test.describe('the reply field of a ticket', () => {
  test('sends a message once for several clicks', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    let calls = 0
    const delay = Promise.withResolvers<void>()
    await page.route(urlPattern(sendTicketMessage.path), async (route) => {
      calls++
      await delay.promise
      await route.continue()
    })
    await replyField(page, t).fill('Only once')
    await sendButton(page, t).dblclick()
    await replyField(page, t).press('Control+Enter')
    await replyField(page, t).press('Meta+Enter')
    delay.resolve()
    await expect(messages(page, t)).toHaveCount(2)
    await expect(replyField(page, t)).toHaveValue('')
    expect(calls).toBe(1)
    expect((await user.call(viewTicket, { params: { id } })).messages).toHaveLength(2)
    await sendButton(page, t).click()
    await expect(replyField(page, t)).not.toHaveAttribute('aria-invalid')
    await replyField(page, t).fill('Thought better of')
    await replyField(page, t).fill('')
    await sendButton(page, t).click()
    await expect(page.getByText(t(m.form_enter_message))).toBeVisible()
  })

  test('sends a message once when the response is lost, and the same text again later', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    await page.route(
      urlPattern(sendTicketMessage.path),
      async (route) => {
        await route.fetch()
        await route.fulfill({ status: 503, json: { code: 503, error: 'unavailable' } })
      },
      { times: 1 },
    )
    await replyField(page, t).fill('Hello again')
    await sendButton(page, t).click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_unavailable))
    await expect(replyField(page, t)).toHaveValue('Hello again')
    await sendButton(page, t).click()
    await expect(replyField(page, t)).toHaveValue('')
    await expect(messages(page, t)).toHaveCount(2)
    await replyField(page, t).fill('Hello again')
    await sendButton(page, t).click()
    await expect(messages(page, t)).toHaveCount(3)
    expect((await user.call(viewTicket, { params: { id } })).messages).toHaveLength(3)
  })

  test('requires a message, and ignores Enter while a character is composed', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    await replyField(page, t).fill(' ab \n')
    await replyField(page, t).press('Enter')
    await expect(page.getByText(t(m.form_enter_message))).toBeHidden()
    await replyField(page, t).dispatchEvent('keydown', {
      key: 'Enter',
      ctrlKey: true,
      isComposing: true,
      bubbles: true,
    })
    await expect(page.getByText(t(m.form_enter_message))).toBeHidden()
    await sendButton(page, t).click()
    await expect(page.getByText(t(m.form_enter_message))).toBeVisible()
    await expect(replyField(page, t)).toBeFocused()
    await expectAccessible(page)
  })

  test('keeps the input when the server rejects the message', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await storeSession(page, user)
    const waitUntilUpToDate = watchPendingCalls(page)
    await page.goto(ticketPath(id))
    await replyField(page, t).fill('Too late')
    await waitUntilUpToDate(t)
    // The ticket is closed now: only a client with a wrong clock still shows the field.
    await resolveWithoutEvent(database, id, limits.ticketClosesAfter + 1000)
    await sendButton(page, t).click()
    await expect(page.getByText(t(m.error_ticket_closed))).toBeVisible()
    await expect(replyField(page, t)).toBeHidden()
    await expect(page.getByRole('region', { name: t(m.support_unsent) })).toContainText('Too late')
    await expectAccessible(page)
  })

  test('disappears on an open page when the ticket closes', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await resolveWithoutEvent(database, id)
    await page.clock.install()
    await storeSession(page, user)
    await page.goto(ticketPath(id))
    await replyField(page, t).fill('Not sent yet')
    await waitUntilConnected(page, t)
    await backdateResolution(database, id, limits.ticketClosesAfter)
    await page.clock.fastForward(limits.ticketClosesAfter)
    await expect(page.getByText(t(m.error_ticket_closed))).toBeVisible()
    await expect(replyField(page, t)).toBeHidden()
    await expect(page.getByRole('region', { name: t(m.support_unsent) })).toContainText(
      'Not sent yet',
    )
    await page.getByRole('link', { name: t(m.support_create) }).click()
    await expect(heading(page, t(m.support_create_title))).toBeVisible()
    await expect(page.getByLabel(t(m.support_message))).toHaveValue('Not sent yet')
  })

  test("uses the server's clock, not a wrong one of the device", async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openTicket(user)
    await resolveWithoutEvent(database, id, limits.ticketClosesAfter - hour)
    await page.clock.install({ time: Date.now() + 2 * hour })
    await storeSession(page, user)
    const ticketResponse = page.waitForResponse(`**/api/support/ticket/view/${id}`)
    await page.goto(ticketPath(id))
    await ticketResponse
    await replyField(page, t).fill('In time')
    await sendButton(page, t).click()
    await expect(page.getByText('In time', { exact: true })).toBeVisible()
    await expect(page.getByText(t(m.error_ticket_closed))).toBeHidden()
  })
})

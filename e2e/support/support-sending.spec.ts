import { hour, limits } from '@slipway/contract/limits'
import { createTicket, listTickets, sendTicketMessage, viewTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { watchCalls } from '../harness/pending-calls.ts'
import { heading, logOut, signIn } from '../harness/screens.ts'
import {
  connected,
  messages,
  openTicket,
  resolveEarlier,
  resolveUnnoticed,
  sendBox,
  sendButton,
  ticketPath,
} from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

// What the tests make of answers that get lost on their way.
test.use({ expectedErrors: [/status of 503/] })

const api = (path: string) => `**/api${path.replace(/:\w+/, '*')}`

test.describe('creating a ticket', () => {
  test('says what is missing, and how much may still be typed near the limit', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    await page.goto('/support/tickets/create')
    const [subject, message] = [
      page.getByLabel(say(m.support_subject)),
      page.getByLabel(say(m.support_message)),
    ]
    await expect(subject).toBeFocused()
    await page.getByRole('button', { name: say(m.support_create) }).click()
    await expect(page.getByText(say(m.form_enter_subject))).toBeVisible()
    await expect(page.getByText(say(m.form_describe_issue))).toBeVisible()
    await expectAccessible(page)

    const { ticketMessageMax: max, subjectMax } = limits
    const left = say(m.support_characters_left, { count: 1 })
    await subject.fill('a'.repeat(subjectMax * 0.8))
    await expect(subject).toHaveAccessibleDescription('')
    await subject.fill(` ${'a'.repeat(subjectMax - 1)} `)
    await expect(subject).toHaveAccessibleDescription(left)
    await expect(page.getByRole('status').filter({ hasText: left })).toBeAttached()
    await subject.fill('a'.repeat(subjectMax + 1))
    await expect(subject).toHaveAccessibleDescription(say(m.support_characters_over, { count: 1 }))
    await expectAccessible(page)

    await subject.fill('Long story')
    await message.fill('a'.repeat(max * 0.8))
    await expect(message).toHaveAccessibleDescription(say(m.support_message_hint))
    await message.fill(`  ${'a'.repeat(max - 1)}\n`)
    await expect(message).toHaveAccessibleDescription(`${say(m.support_message_hint)} ${left}`)
    // A screen reader hears it once the typing pauses.
    await expect(page.getByRole('status').filter({ hasText: left })).toBeAttached()
    await message.fill('a'.repeat(max + 2))
    await page.getByRole('button', { name: say(m.support_create) }).click()
    await expect(message).toHaveAccessibleDescription(
      new RegExp(
        `^${say(m.form_at_most, { max })}.*${say(m.support_characters_over, { count: 2 })}$`,
      ),
    )
    await expect(message).toBeFocused()
    await expectAccessible(page)
  })

  test('keeps a draft over a reload and a failure, until it is sent', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    await page.goto('/support/tickets/create')
    await page.getByLabel(say(m.support_subject)).fill('Half a subject')
    await page.getByLabel(say(m.support_message)).fill('Two\nlines')
    await page.reload()
    await expect(page.getByLabel(say(m.support_subject))).toHaveValue('Half a subject')
    await expect(page.getByLabel(say(m.support_message))).toHaveValue('Two\nlines')

    await page.route(api(createTicket.path), (route) =>
      route.fulfill({ status: 429, json: { code: 429, error: 'message_limit_reached' } }),
    )
    await page.getByRole('button', { name: say(m.support_create) }).click()
    await expect(page.getByRole('alert')).toHaveText(say(m.error_message_limit_reached))
    await expect(page.getByLabel(say(m.support_message))).toHaveValue('Two\nlines')
    await page.unrouteAll()
    await page.getByRole('button', { name: say(m.support_create) }).click()
    await expect(heading(page, 'Half a subject')).toBeVisible()

    await page.goto('/support/tickets/create')
    await expect(page.getByLabel(say(m.support_subject))).toHaveValue('')
    await expect(page.getByLabel(say(m.support_message))).toHaveValue('')
  })

  test('leaves no draft to whoever comes after', async ({ page, say, newPerson }) => {
    const [first, second] = [await newPerson(), await newPerson()]
    await signIn(page, first)
    await page.goto('/support/tickets/create')
    await page.getByLabel(say(m.support_subject)).fill('A secret')
    await signIn(page, second)
    await page.goto('/support/tickets/create')
    await expect(page.getByLabel(say(m.support_subject))).toHaveValue('')
    await logOut(page, say)
    await expect(heading(page, say(m.auth_login_title))).toBeVisible()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('A secret')
  })

  test('opens one ticket when the answer got lost, also after a reload', async ({
    page,
    say,
    newPerson,
  }) => {
    const person = await newPerson()
    await signIn(page, person)
    await page.goto('/support/tickets/create')
    await page.getByLabel(say(m.support_subject)).fill('Sent once')
    await page.getByLabel(say(m.support_message)).fill('Message')
    await page.route(api(createTicket.path), async (route) => {
      await route.fetch()
      await route.fulfill({ status: 503, json: { code: 503, error: 'unavailable' } })
    })
    await page.getByRole('button', { name: say(m.support_create) }).click()
    await expect(page.getByRole('alert')).toHaveText(say(m.error_unavailable))
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('button', { name: say(m.support_create) }).click()
    await expect(heading(page, 'Sent once')).toBeVisible()
    expect(await person.call(listTickets)).toHaveLength(1)
  })
})

test.describe('sending a message', () => {
  test('sends it once, however often it is pressed', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    const { id } = await openTicket(person)
    await signIn(page, person)
    await page.goto(ticketPath(id))
    let calls = 0
    const held = Promise.withResolvers<void>()
    await page.route(api(sendTicketMessage.path), async (route) => {
      calls++
      await held.promise
      await route.continue()
    })
    await sendBox(page, say).fill('Only once')
    await sendButton(page, say).dblclick()
    await sendBox(page, say).press('Control+Enter')
    await sendBox(page, say).press('Meta+Enter')
    held.resolve()
    await expect(messages(page, say)).toHaveCount(2)
    await expect(sendBox(page, say)).toHaveValue('')
    expect(calls).toBe(1)
    expect((await person.call(viewTicket, { params: { id } })).messages).toHaveLength(2)
    await sendButton(page, say).click()
    await expect(sendBox(page, say)).not.toHaveAttribute('aria-invalid')
    await sendBox(page, say).fill('Thought better of')
    await sendBox(page, say).fill('')
    await sendButton(page, say).click()
    await expect(page.getByText(say(m.form_enter_message))).toBeVisible()
  })

  test('sends it once when the answer got lost, and the same words again when they are meant so', async ({
    page,
    say,
    newPerson,
  }) => {
    const person = await newPerson()
    const { id } = await openTicket(person)
    await signIn(page, person)
    await page.goto(ticketPath(id))
    await page.route(
      api(sendTicketMessage.path),
      async (route) => {
        await route.fetch()
        await route.fulfill({ status: 503, json: { code: 503, error: 'unavailable' } })
      },
      { times: 1 },
    )
    await sendBox(page, say).fill('Hello again')
    await sendButton(page, say).click()
    await expect(page.getByRole('alert')).toHaveText(say(m.error_unavailable))
    await expect(sendBox(page, say)).toHaveValue('Hello again')
    await sendButton(page, say).click()
    await expect(sendBox(page, say)).toHaveValue('')
    await expect(messages(page, say)).toHaveCount(2)
    await sendBox(page, say).fill('Hello again')
    await sendButton(page, say).click()
    await expect(messages(page, say)).toHaveCount(3)
    expect((await person.call(viewTicket, { params: { id } })).messages).toHaveLength(3)
  })

  test('asks for a message, and ends no word that is still being composed', async ({
    page,
    say,
    newPerson,
  }) => {
    const person = await newPerson()
    const { id } = await openTicket(person)
    await signIn(page, person)
    await page.goto(ticketPath(id))
    await sendBox(page, say).fill(' ab \n')
    await sendBox(page, say).press('Enter')
    await expect(page.getByText(say(m.form_enter_message))).toBeHidden()
    await sendBox(page, say).dispatchEvent('keydown', {
      key: 'Enter',
      ctrlKey: true,
      isComposing: true,
      bubbles: true,
    })
    await expect(page.getByText(say(m.form_enter_message))).toBeHidden()
    await sendButton(page, say).click()
    await expect(page.getByText(say(m.form_enter_message))).toBeVisible()
    await expect(sendBox(page, say)).toBeFocused()
    await expectAccessible(page)
  })

  test('keeps what was typed when the server takes no more messages', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    const { id } = await openTicket(person)
    await signIn(page, person)
    const upToDate = watchCalls(page)
    await page.goto(ticketPath(id))
    await sendBox(page, say).fill('Too late')
    await upToDate(say)
    // Resolved long ago, as somebody with a clock that is wrong would find it.
    await resolveUnnoticed(database, id, limits.ticketClosesAfter + 1000)
    await sendButton(page, say).click()
    await expect(page.getByText(say(m.error_ticket_closed))).toBeVisible()
    await expect(sendBox(page, say)).toBeHidden()
    await expect(page.getByRole('region', { name: say(m.support_unsent) })).toContainText(
      'Too late',
    )
    await expectAccessible(page)
  })

  test('ends when the time passes while the ticket is looked at', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    const { id } = await openTicket(person)
    await resolveUnnoticed(database, id)
    await page.clock.install()
    await signIn(page, person)
    await page.goto(ticketPath(id))
    await sendBox(page, say).fill('Not sent yet')
    await connected(page, say)
    await resolveEarlier(database, id, limits.ticketClosesAfter)
    await page.clock.fastForward(limits.ticketClosesAfter)
    await expect(page.getByText(say(m.error_ticket_closed))).toBeVisible()
    await expect(sendBox(page, say)).toBeHidden()
    await expect(page.getByRole('region', { name: say(m.support_unsent) })).toContainText(
      'Not sent yet',
    )
    await page.getByRole('link', { name: say(m.support_create) }).click()
    await expect(heading(page, say(m.support_create))).toBeVisible()
    await expect(page.getByLabel(say(m.support_message))).toHaveValue('Not sent yet')
  })

  test('goes by the clock of the service, and not by one that is wrong', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    const { id } = await openTicket(person)
    await resolveUnnoticed(database, id, limits.ticketClosesAfter - hour)
    await page.clock.install({ time: Date.now() + 2 * hour })
    await signIn(page, person)
    const again = page.waitForResponse(`**/api/support/ticket/view/${id}`)
    await page.goto(ticketPath(id))
    await again
    await sendBox(page, say).fill('In time')
    await sendButton(page, say).click()
    await expect(page.getByText('In time', { exact: true })).toBeVisible()
    await expect(page.getByText(say(m.error_ticket_closed))).toBeHidden()
  })
})

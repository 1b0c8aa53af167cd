import { hour, limits, minute } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import type { TicketId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { mailedText } from '../harness/mailbox.ts'
import { heading, signIn } from '../harness/screens.ts'
import {
  connected,
  messages,
  resolveEarlier,
  sendBox,
  sendButton,
  supportLink,
} from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

const journeys = [
  { locale: 'en-GB', name: "Ada O'Example", subject: "The shop's address", question: 'Where?' },
  { locale: 'tr-TR', name: 'Işıl Örnek', subject: 'İğdır şubesinin adresi', question: 'Nerede?' },
] as const

for (const { locale, name, subject, question } of journeys)
  test.describe(`a conversation with the support team, in ${locale}`, () => {
    test.use({ locale })

    test('goes from the question over live replies to the closed ticket', async ({
      page,
      say,
      newPerson,
      operator,
      service,
      database,
    }) => {
      const person = await newPerson({ name })
      await signIn(page, person)
      await page.goto('/projects')
      await supportLink(page, say).click()
      await expect(heading(page, say(m.support_title))).toBeVisible()
      await expect(page).toHaveTitle(`${say(m.support_title)} · Slipway`)
      await expect(page.getByText(say(m.support_empty))).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('link', { name: say(m.support_create) }).click()
      await page.getByLabel(say(m.support_subject)).fill(subject)
      await page.getByLabel(say(m.support_message)).fill(question)
      await page.getByRole('button', { name: say(m.support_create) }).click()

      await expect(heading(page, subject)).toBeVisible()
      await expect(page).toHaveTitle(`${subject} · ${say(m.support_title)} · Slipway`)
      const id = new URL(page.url()).pathname.split('/').at(-1) as TicketId
      await expect(messages(page, say)).toHaveCount(1)
      await expect(messages(page, say).first()).toContainText(name)
      await expect(page.getByText(say(m.support_state_open), { exact: true })).toBeVisible()
      await connected(page, say)

      // Another tab stands elsewhere, one on the list; the thread itself is left.
      const elsewhere = await page.context().newPage()
      await elsewhere.goto('/account/profile')
      await connected(elsewhere, say)
      await page.goto('/support/tickets')
      const row = page.getByRole('row').filter({ hasText: subject })
      await expect(row).toContainText(say(m.support_state_open))
      await connected(page, say)

      const answer = 'In the old harbour, where https://example.com/map shows it.'
      const reply = (text: string) => operator(replyToTicket, { params: { id }, body: { text } })
      await reply(answer)
      await expect(supportLink(elsewhere, say, 1)).toBeVisible()
      await expect(supportLink(page, say, 1)).toBeVisible()
      const unread = row.getByRole('link', { name: `${say(m.support_unread)}: ${subject}` })
      await expect(unread).toBeVisible()
      await expect(
        page.getByRole('status').filter({
          hasText: say(m.support_unread_announcement, { subject }),
        }),
      ).toBeAttached()
      await expectAccessible(page)
      const mail = await mailedText(service.url, person.email, 'example.com/map')
      expect(mail).toContain(`/support/tickets/view/${id}`)
      expect(mail).toContain(say(m.support_letter_reply_action))

      await unread.click()
      await expect(messages(page, say).last()).toContainText(say(m.support_team))
      await expect(messages(page, say).last()).toContainText('where https://example.com/map')
      await expect(supportLink(elsewhere, say)).toBeVisible()
      await expect(supportLink(page, say)).toBeVisible()
      await expectAccessible(page)

      await reply('Is there anything else?')
      await expect(messages(page, say).last()).toContainText('Is there anything else?')
      await expect(
        page.getByRole('status').filter({
          hasText: say(m.support_reply_announcement, { text: 'Is there anything else?' }),
        }),
      ).toBeAttached()
      await expect(supportLink(elsewhere, say)).toBeVisible()

      await sendBox(page, say).fill('Hayır, teşekkürler.\nNo, thank you.')
      await sendBox(page, say).press('Control+Enter')
      await expect(messages(page, say)).toHaveCount(4)
      await expect(messages(page, say).last()).toContainText(name)
      await expect(sendBox(page, say)).toHaveValue('')
      await expect(sendBox(page, say)).toBeFocused()

      const resolve = page.getByRole('button', { name: say(m.support_resolve) })
      await resolve.click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText(subject)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: say(m.shell_cancel) }).click()
      await expect(dialog).toBeHidden()
      await resolve.click()
      await dialog.getByRole('button', { name: say(m.support_resolve) }).click()
      await expect(dialog).toBeHidden()
      await expect(resolve).toBeHidden()
      await expect(heading(page, subject)).toBeFocused()
      await expect(page.getByText(say(m.support_state_resolved), { exact: true })).toBeVisible()
      await expect(sendButton(page, say)).toBeVisible()
      await expectAccessible(page)

      await resolveEarlier(database, id, limits.ticketClosesAfter - hour)
      await page.reload()
      await sendBox(page, say).fill('One more thing')
      await sendButton(page, say).click()
      await expect(messages(page, say)).toHaveCount(5)
      await resolveEarlier(database, id, hour + minute)
      await page.reload()
      await expect(page.getByText(say(m.error_ticket_closed))).toBeVisible()
      await expect(sendBox(page, say)).toBeHidden()
      await expect(messages(page, say)).toHaveCount(5)
      await expectAccessible(page)
    })
  })

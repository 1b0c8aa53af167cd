import { hour, limits, minute } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import type { TicketId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { mailedText } from '../harness/mailbox.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import {
  backdateResolution,
  messages,
  replyField,
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

    test('goes from the first question through live replies to the closed ticket', async ({
      page,
      t,
      newUser,
      operator,
      service,
      database,
    }) => {
      const user = await newUser({ name })
      await storeSession(page, user)
      await page.goto('/projects')
      await supportLink(page, t).click()
      await expect(heading(page, t(m.support_title))).toBeVisible()
      await expect(page).toHaveTitle(`${t(m.support_title)} · Slipway`)
      await expect(page.getByText(t(m.support_empty))).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('link', { name: t(m.support_create) }).click()
      await page.getByLabel(t(m.support_subject)).fill(subject)
      await page.getByLabel(t(m.support_message)).fill(question)
      await page.getByRole('button', { name: t(m.support_create) }).click()

      await expect(heading(page, subject)).toBeVisible()
      await expect(page).toHaveTitle(`${subject} · ${t(m.support_title)} · Slipway`)
      const id = new URL(page.url()).pathname.split('/').at(-1) as TicketId
      await expect(messages(page, t)).toHaveCount(1)
      await expect(messages(page, t).first()).toContainText(name)
      await expect(page.getByText(t(m.support_state_open), { exact: true })).toBeVisible()
      await waitUntilConnected(page, t)

      // One tab shows the list and another the profile; neither shows the thread.
      const otherTab = await page.context().newPage()
      await otherTab.goto('/account/profile')
      await waitUntilConnected(otherTab, t)
      await page.goto('/support/tickets')
      const row = page.getByRole('row').filter({ hasText: subject })
      await expect(row).toContainText(t(m.support_state_open))
      await waitUntilConnected(page, t)

      const text = 'In the old harbour, where https://example.com/map shows it.'
      const reply = (text: string) => operator(replyToTicket, { params: { id }, body: { text } })
      await reply(text)
      await expect(supportLink(otherTab, t, 1)).toBeVisible()
      await expect(supportLink(page, t, 1)).toBeVisible()
      const unread = row.getByRole('link', { name: `${t(m.support_unread)}: ${subject}` })
      await expect(unread).toBeVisible()
      await expect(
        page.getByRole('status').filter({
          hasText: t(m.support_unread_announcement, { subject }),
        }),
      ).toBeAttached()
      await expectAccessible(page)
      const mail = await mailedText(service.url, user.email, 'example.com/map')
      expect(mail).toContain(`/support/tickets/view/${id}`)
      expect(mail).toContain(t(m.support_email_reply_action))

      await unread.click()
      await expect(messages(page, t).last()).toContainText(t(m.support_team))
      await expect(messages(page, t).last()).toContainText('where https://example.com/map')
      await expect(supportLink(otherTab, t)).toBeVisible()
      await expect(supportLink(page, t)).toBeVisible()
      await expectAccessible(page)

      await reply('Is there anything else?')
      await expect(messages(page, t).last()).toContainText('Is there anything else?')
      await expect(
        page.getByRole('status').filter({
          hasText: t(m.support_reply_announcement, { text: 'Is there anything else?' }),
        }),
      ).toBeAttached()
      await expect(supportLink(otherTab, t)).toBeVisible()

      await replyField(page, t).fill('Hayır, teşekkürler.\nNo, thank you.')
      await replyField(page, t).press('Control+Enter')
      await expect(messages(page, t)).toHaveCount(4)
      await expect(messages(page, t).last()).toContainText(name)
      await expect(replyField(page, t)).toHaveValue('')
      await expect(replyField(page, t)).toBeFocused()

      const resolve = page.getByRole('button', { name: t(m.support_resolve) })
      await resolve.click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText(subject)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: t(m.shell_cancel) }).click()
      await expect(dialog).toBeHidden()
      await resolve.click()
      await dialog.getByRole('button', { name: t(m.support_resolve) }).click()
      await expect(dialog).toBeHidden()
      await expect(resolve).toBeHidden()
      await expect(heading(page, subject)).toBeFocused()
      await expect(page.getByText(t(m.support_state_resolved), { exact: true })).toBeVisible()
      await expect(sendButton(page, t)).toBeVisible()
      await expectAccessible(page)

      await backdateResolution(database, id, limits.ticketClosesAfter - hour)
      await page.reload()
      await replyField(page, t).fill('One more thing')
      await sendButton(page, t).click()
      await expect(messages(page, t)).toHaveCount(5)
      await backdateResolution(database, id, hour + minute)
      await page.reload()
      await expect(page.getByText(t(m.error_ticket_closed))).toBeVisible()
      await expect(replyField(page, t)).toBeHidden()
      await expect(messages(page, t)).toHaveCount(5)
      await expectAccessible(page)
    })
  })

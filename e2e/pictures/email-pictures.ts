import type { UserId } from '@slipway/contract/account'
import type { InvoiceId } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import type { TicketId } from '@slipway/contract/support'
import { type Locale, locales } from '@slipway/phrases'
import { newId } from '../../apps/server/src/db/ids.ts'
import { eventEmail } from '../../apps/server/src/modules/account/account.emails.ts'
import { noPasswordEmail, tokenEmail } from '../../apps/server/src/modules/auth/auth.emails.ts'
import {
  expiryEmail,
  renewedEmail,
} from '../../apps/server/src/modules/certificates/certificates.emails.ts'
import { issuedEmail } from '../../apps/server/src/modules/invoices/issuing/issuing.emails.ts'
import { mails } from '../../apps/server/src/modules/mail/mail.schema.ts'
import { asHtml, asText, type Email } from '../../apps/server/src/modules/mail/mail.template.ts'
import {
  failureEmail,
  lateChargeEmail,
  receiptEmail,
} from '../../apps/server/src/modules/payments/settlement/settlement.emails.ts'
import { createdEmail } from '../../apps/server/src/modules/personal-tokens/personal-tokens.emails.ts'
import {
  failedDomainEmail,
  recoveredDomainEmail,
} from '../../apps/server/src/modules/projects/domains/project-domains.emails.ts'
import {
  abuseEmail,
  resumedEmail,
  unpaidEmail,
} from '../../apps/server/src/modules/projects/power/power.emails.ts'
import { messageEmail, replyEmail } from '../../apps/server/src/modules/support/support.emails.ts'
import { invitationEmail } from '../../apps/server/src/modules/teams/teams.emails.ts'
import type { TestDatabase } from '../harness/database.ts'
import type { Translate } from '../harness/texts.ts'
import { exampleSeller } from './invoice-pictures.ts'
import type { Picture } from './picture.ts'

const publicUrl = 'https://console.example.com'
const names: Record<Locale, string> = { en: 'Ada Example', tr: 'Ayşe Örnek' }
const time = new Date('2026-11-01T09:30:00Z')
const later = new Date(time.getTime() + 30 * day)
const address = '203.0.113.7'
const device = { browser: 'Chrome', system: 'macOS', timeZone: 'Europe/Istanbul' }
const record = {
  found: [{ type: 'A' as const, name: 'www.example.com', value: '198.51.100.24' }],
  expected: [{ type: 'CNAME' as const, name: 'www.example.com', value: 'eu.slipway.example' }],
}
const sites: Record<Locale, string> = { en: 'Example Choir', tr: 'Örnek Korosu' }
const questions: Record<Locale, { subject: string; text: string; reply: string }> = {
  en: {
    subject: 'The news page is missing',
    text: 'Since this morning https://example.com/news/ shows an error.\n\nWhat can I do?',
    reply:
      'The link in your menu has a typing error: it says “nwes”.\n\nWith “news” the page opens.',
  },
  tr: {
    subject: 'Haberler sayfası bulunamıyor',
    text: 'Bu sabahtan beri https://example.com/news/ hata veriyor.\n\nNe yapabilirim?',
    reply:
      'Menünüzdeki bağlantıda yazım hatası var: “haberlr” yazıyor.\n\n“haberler” yazdığınızda sayfa açılır.',
  },
}

const seller = {
  name: exampleSeller.SELLER_NAME,
  address: exampleSeller.SELLER_ADDRESS.split('; '),
  taxNumber: exampleSeller.SELLER_TAX_NUMBER,
}

/** Every email of the service, by the name of its picture. */
function exampleEmails(locale: Locale): Record<string, Email> {
  const user = {
    id: newId<'User'>() as UserId,
    name: names[locale],
    loginKind: 'Email',
    createdAt: time,
  }
  const project = { key: 'example-choir-a1b2c3', name: sites[locale], power: 'running' as const }
  const base = { locale, user, publicUrl, address, time, name: user.name, recipient: user, project }
  const domain = { ...base, host: 'www.example.com', expiresAt: later }
  const amount = toAmount(money('23.388'))
  const invoice = {
    id: newId<'Invoice'>() as InvoiceId,
    number: 'SW-2026-000042',
    amount,
    subtotal: toAmount(money('19.49')),
    discount: toAmount(money('0')),
    taxRate: '20',
    taxAmount: toAmount(money('3.898')),
    startsAt: new Date('2026-10-01T00:00:00Z'),
    endsAt: new Date('2026-11-01T00:00:00Z'),
    issuedAt: new Date('2026-11-01T00:00:00Z'),
    paidAt: null,
    paymentState: null,
  }
  const earlier = {
    ...invoice,
    id: newId<'Invoice'>() as InvoiceId,
    number: 'SW-2026-000017',
    amount: toAmount(money('12.4')),
    startsAt: new Date('2026-09-01T00:00:00Z'),
    endsAt: new Date('2026-10-01T00:00:00Z'),
  }
  const payment = {
    ...base,
    invoices: [invoice],
    seller,
    payment: {
      locale,
      amount,
      chargedAmount: '23.39',
      chargeId: 'example',
      paidWith: { cardAssoc: 'visa' as const, lastDigits: '4242' },
      failure: 'card_declined' as const,
      settledAt: time,
    },
  }
  const ticket = {
    ...base,
    ticket: { id: newId<'Ticket'>() as TicketId, subject: questions[locale].subject },
    message: { text: questions[locale].text },
  }
  const invitation = {
    ...base,
    email: 'grace@example.com',
    inviteeName: undefined,
    loginProvider: undefined,
    inviterName: user.name,
    teamName: sites[locale],
  }
  return {
    verify: tokenEmail('verify', { ...base, token: 'example' }),
    'reset-password': tokenEmail('reset', { ...base, token: 'example' }),
    'no-password': noPasswordEmail({ ...base, user: { ...user, loginKind: 'Google' } }),
    'new-device': eventEmail('newDevice', { ...base, device }),
    'new-device-google': eventEmail('newDevice', {
      ...base,
      device,
      user: { ...user, loginKind: 'Google' },
    }),
    lockout: eventEmail('lockout', base),
    'password-changed': eventEmail('passwordChanged', base),
    'token-created': createdEmail({
      ...base,
      token: { name: 'CI', createdAt: time, expiresAt: later },
      projectNames: [sites[locale], 'Harbour Cafe'],
    }),
    invitation: invitationEmail(invitation),
    'domain-failed': failedDomainEmail(record, domain),
    'domain-failed-otherwise': failedDomainEmail(undefined, domain),
    'domain-recovered': recoveredDomainEmail(domain),
    'certificate-expires': expiryEmail('one_week', domain),
    'certificate-expired': expiryEmail('expired', {
      ...domain,
      expiresAt: new Date(time.getTime() - day),
    }),
    'certificate-renewed': renewedEmail(domain),
    'suspended-unpaid': unpaidEmail(user, [earlier, invoice])(base),
    'suspended-unpaid-member': unpaidEmail({ ...user, id: newId<'User'>() as UserId }, [invoice])(
      base,
    ),
    'suspended-abuse': abuseEmail(base),
    resumed: resumedEmail(base),
    invoice: issuedEmail({ ...base, invoice }),
    receipt: receiptEmail(payment),
    'payment-failed': failureEmail(payment),
    'late-charge': lateChargeEmail({ ...payment, invoices: [{ ...invoice, paidAt: time }] }),
    'late-charge-unpaid': lateChargeEmail({
      ...payment,
      payment: { ...payment.payment, chargedAmount: '35.79' },
      invoices: [{ ...earlier, paidAt: time }, invoice],
    }),
    'ticket-reply': replyEmail({ ...ticket, message: { text: questions[locale].reply } }),
    'ticket-message': messageEmail({
      ...ticket,
      operator: names[locale],
      user: { name: user.name, email: 'ada@example.com' },
    }),
  }
}

/** Puts every email into the mailbox, in each language. Returns the paths of their pages. */
export async function insertExampleEmails({ db }: TestDatabase) {
  const paths: Record<string, Record<string, string>> = {}
  for (const locale of locales)
    for (const [name, email] of Object.entries(exampleEmails(locale))) {
      const id = newId<'Mail'>()
      const withSeller = { seller, ...email }
      await db.insert(mails).values({
        id,
        key: `example ${name} ${locale}`,
        recipient: 'ada@example.com',
        subject: email.subject,
        text: asText(withSeller, publicUrl),
        html: asHtml(withSeller, publicUrl),
        state: 'kept',
        createdAt: time,
        updatedAt: time,
      })
      paths[name] = { ...paths[name], [locale]: `/mailbox/${id}` }
    }
  return paths
}

/** The page of each email in the mailbox, with its plain text. */
export const emailPictures = (paths: Awaited<ReturnType<typeof insertExampleEmails>>): Picture[] =>
  Object.entries(paths).map(([name, pathOf]) => ({
    name: `email-${name}`,
    show: async (page, { locale }: Translate) => {
      await page.goto(pathOf[locale] ?? '')
      // The frame loads after the page.
      await page.frameLocator('iframe').getByRole('heading').waitFor()
    },
  }))

import { createTransport } from 'nodemailer'
import type { Env } from '../../env/env.ts'
import type { Mail } from './mail.store.ts'

const transports = new Map<string, ReturnType<typeof createTransport>>()

function transport(url: string) {
  const known = transports.get(url)
  if (known) return known
  const created = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  transports.set(url, created)
  return created
}

/** Hands the mail to the SMTP server (RFC 5321). Rejects when that does not take it. */
export async function deliver(env: Pick<Env, 'MAIL_FROM'>, smtpUrl: string, mail: Mail) {
  const { hostname } = new URL(smtpUrl)
  await transport(smtpUrl).sendMail({
    from: env.MAIL_FROM,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text ?? '',
    html: mail.html ?? '',
    // The same for every attempt, so that a mail sent twice can be seen to be one (RFC 5322 §3.6.4).
    messageId: `<${mail.id}@${hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}

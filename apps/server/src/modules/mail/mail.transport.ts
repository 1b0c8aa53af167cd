import { createTransport } from 'nodemailer'
import type { Env } from '../../env/env.ts'
import type { Mail } from './mail.store.ts'

const transports = new Map<string, ReturnType<typeof createTransport>>()

function transport(url: string) {
  const existing = transports.get(url)
  if (existing) return existing
  const created = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  transports.set(url, created)
  return created
}

/** Sends the email over SMTP (RFC 5321). Rejects when the server rejects it. */
export async function deliver(env: Pick<Env, 'MAIL_FROM'>, smtpUrl: string, mail: Mail) {
  const { hostname } = new URL(smtpUrl)
  await transport(smtpUrl).sendMail({
    from: env.MAIL_FROM,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text ?? '',
    html: mail.html ?? '',
    // The same for every attempt, so that clients recognize a duplicate (RFC 5322 §3.6.4).
    messageId: `<${mail.id}@${hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}

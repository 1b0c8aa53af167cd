import { Socket } from 'node:net'
import { second } from '@slipway/contract/limits'
import { createTransport } from 'nodemailer'
import { markPicture } from '../../brand-mark.ts'
import { type Env, isLoopbackHost } from '../../env/env.ts'
import type { Mail } from './mail.store.ts'
import { markId } from './mail.template.ts'

/** Timeout of one attempt. A server that sends a byte now and then does not extend it. */
export const attemptTimeout = 20 * second

const senderDomain = ({ MAIL_FROM }: Pick<Env, 'MAIL_FROM'>) =>
  MAIL_FROM.replace(/>\s*$/, '').split('@').at(-1) ?? ''

/** The sender of all emails of sites: of the service's domain, which its SPF and DKIM cover. */
export const siteSender = (env: Pick<Env, 'MAIL_FROM'>) => `no-reply@${senderDomain(env)}`

/**
 * Sends the email over SMTP (RFC 5321), encrypted unless the server is on this machine or the URL
 * says `requireTLS=false`. Rejects when the server rejects the email or is too slow.
 */
export async function deliver(
  env: Pick<Env, 'MAIL_FROM'>,
  smtpUrl: string,
  mail: Mail,
  timeout = attemptTimeout,
) {
  const { hostname } = new URL(smtpUrl)
  // Our own socket, because only closing it ends an attempt.
  const socket = new Socket()
  const timer = setTimeout(
    () => socket.destroy(new Error('the mail server did not finish in time')),
    timeout,
  )
  try {
    const transport = createTransport({
      url: smtpUrl,
      socket,
      requireTLS: !isLoopbackHost(hostname),
      connectionTimeout: 5 * second,
      greetingTimeout: 5 * second,
      socketTimeout: 10 * second,
      dnsTimeout: 5 * second,
    })
    if (mail.raw) {
      const envelope = { from: siteSender(env), to: mail.recipient }
      await transport.sendMail({ envelope, raw: mail.raw })
      return
    }
    await transport.sendMail({
      from: env.MAIL_FROM,
      to: { name: '', address: mail.recipient },
      subject: mail.subject,
      text: mail.text ?? '',
      html: mail.html ?? '',
      attachments: [
        {
          cid: markId,
          filename: 'slipway.png',
          content: markPicture,
          contentDisposition: 'inline',
        },
      ],
      // The same for every attempt, so that clients recognize a duplicate (RFC 5322 §3.6.4). Of the
      // sender's domain: filters mistrust another, such as the mail server's address.
      messageId: `<${mail.id}@${senderDomain(env)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } finally {
    clearTimeout(timer)
  }
}

type SmtpError = Error & { code?: string; responseCode?: number }

/**
 * True when the server rejected the email for good (RFC 5321 §4.2.1: 5yz). A rejected login or a
 * missing encryption (RFC 4954 §6, RFC 3207 §4: 53z) can be fixed by the operator, so it is
 * retried.
 */
export function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as SmtpError
  const aboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return aboutEmail && responseCode >= 500 && !(responseCode >= 530 && responseCode < 540)
}

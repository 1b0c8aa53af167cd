import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../../../apps/server/src/testing/free-port.ts'

/** The response of the server to an email: it accepts, defers or rejects it, or never responds. */
export type MailBehavior = 'accepts' | 'defers' | 'rejects' | 'hangs' | 'refuses connections'

export type AcceptedMail = { id: string; to: string; text: string; acceptedAt: number }

const smtpError = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode })

/** Decodes quoted-printable (RFC 2045 §6.7), in which long links have soft line breaks. */
const decode = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A mail server that a fault can make hang, defer, reject or refuse. */
export async function startMailServer() {
  const port = await freePort()
  const accepted: AcceptedMail[] = []
  const rejected: Pick<AcceptedMail, 'id' | 'to'>[] = []
  let behavior: MailBehavior = 'accepts'

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect(_session, done) {
      if (behavior === 'refuses connections') return done(smtpError(421, 'Try again later'))
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = decode(Buffer.concat(chunks).toString())
        const [, id = ''] = /^Message-ID: <([^@>]+)@/im.exec(text) ?? []
        if (behavior === 'hangs') return
        if (behavior === 'defers') return done(smtpError(451, 'Try again later'))
        const to = session.envelope.rcptTo[0]?.address ?? ''
        if (behavior === 'rejects') {
          rejected.push({ id, to })
          return done(smtpError(550, 'No such mailbox'))
        }
        accepted.push({ id, to, text, acceptedAt: performance.now() })
        done()
      })
    },
  })
  // Killed workers break connections.
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')

  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    rejected,
    behave(next: MailBehavior) {
      behavior = next
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

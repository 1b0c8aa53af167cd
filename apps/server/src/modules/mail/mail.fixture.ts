import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { mails } from './mail.schema.ts'

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

type Options = SMTPServerOptions & {
  /** The response to a recipient or, if `atData`, to the whole email. Undefined accepts it. */
  reply?: (recipient: string) => string | 'hang' | undefined
  atData?: boolean
  host?: string
}

/** A mail server that responds to each recipient as `reply` says, such as '550 no such user'. */
export async function startMailServer({
  reply = () => undefined,
  atData,
  host = '127.0.0.1',
  ...options
}: Options = {}) {
  const delivered: string[] = []
  /** The accepted emails, whole. */
  const received: string[] = []
  /** Recipients in the order of their attempts. */
  const attempted: string[] = []
  let open = 0

  const respond = (recipient: string, done: (error?: Error) => void, accept: () => void) => {
    const response = reply(recipient)
    if (response === 'hang') return
    if (response === undefined) {
      accept()
      return done()
    }
    done(
      Object.assign(new Error(response.slice(4)), { responseCode: Number(response.slice(0, 3)) }),
    )
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 0,
    ...options,
    onConnect(_session, done) {
      open++
      done()
    },
    onClose() {
      open--
    },
    onRcptTo({ address }, _session, done) {
      attempted.push(address)
      if (atData) return done()
      respond(address, done, () => {})
    },
    onData(stream, { envelope }, done) {
      let text = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('end', () => {
        const recipient = envelope.rcptTo[0]?.address ?? ''
        const accept = () => {
          delivered.push(/^Subject: (.*)$/im.exec(text)?.[1] ?? '')
          received.push(text)
        }
        if (atData) return respond(recipient, done, accept)
        accept()
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, host)
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${host}:${port}`,
    port,
    delivered,
    received,
    attempted,
    /** Open connections. */
    get open() {
      return open
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** A server that accepts connections and runs `talk` on each; nothing else. */
export async function startSilentServer(talk: (socket: Socket) => void = () => {}) {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    talk(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    get open() {
      return sockets.size
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

export async function storeFailedEmail(
  { ctx, clock }: { ctx: { db: Db }; clock: { now(): Date } },
  overrides: Partial<typeof mails.$inferInsert> = {},
) {
  const id = newId<'Mail'>()
  const now = clock.now()
  const [row] = await ctx.db
    .insert(mails)
    .values({
      id,
      key: `failed:${id}`,
      recipient: 'reader@example.com',
      subject: 'An email',
      text: 'Hello.',
      html: '<p>Hello.</p>',
      state: 'failed',
      attempts: 1,
      lastError: '550 no such user',
      createdAt: now,
      updatedAt: now,
      ...overrides,
    })
    .returning()
  if (!row) throw new Error('no email was stored')
  return row
}

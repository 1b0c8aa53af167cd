import { createServer, request } from 'node:http'
import { sendTicketMessage, viewTicket } from '@slipway/contract/support'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { recordEvents } from '../../server/src/testing/event-recorder.ts'
import type { TestUser } from '../../server/src/testing/world.ts'
import {
  type Cli,
  createCli,
  createService,
  credentials,
  listenOnLoopback,
  type Service,
} from './cli.fixture.ts'
import { removeSession } from './session-file.ts'

const operatorCredentials = credentials('operator@example.com')

let service: Service
let cli: Cli
beforeAll(async () => {
  service = await createService()
})
afterAll(() => service.close())
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
  await service.storeSession(cli)
})
afterEach(() => cli.remove())

describe('operator reply', () => {
  const textsOf = async (user: TestUser, id: string) =>
    (await user.call(viewTicket, { params: { id } })).messages.map(({ text }) => text)

  it('adds to the thread, emails the user and updates their open console', async () => {
    const user = await service.world.user({ name: 'Ada Example' })
    const { id } = await service.openTicket(user, 'Help')
    const events = await recordEvents(service.world.database.options)
    onTestFinished(() => events.close())
    const { code, output } = await cli.run(['reply', id.slice(-8), '- try "this" <b>now</b>'])
    expect([code, output]).toEqual([0, `Reply sent to Ada Example (${user.email}).\n`])
    expect(await textsOf(user, id)).toEqual(['It is urgent.', '- try "this" <b>now</b>'])
    expect((await service.world.mailsTo(user.email))[0]?.text).toContain('- try "this" <b>now</b>')
    expect(await events.take()).toEqual([
      { kind: 'Ticket', data: { type: 'Updated', ticketId: id } },
    ])
  })

  it('reads a text of several lines from the standard input', async () => {
    const user = await service.world.user()
    const { id } = await service.openTicket(user, 'Help')
    const input = '\ufeffÖnce şunu deneyin:\r\n\r\n  npm start\n'
    expect((await cli.run(['reply', id, '-'], { input })).code).toBe(0)
    expect((await textsOf(user, id))[1]).toBe('Önce şunu deneyin:\n\n  npm start')
  })

  it('sends once when the response is lost', async () => {
    const user = await service.world.user()
    const { id } = await service.openTicket(user, 'Help')
    const proxy = proxyLosingFirstReply(new URL(service.url))
    const proxyUrl = `http://localhost:${await listenOnLoopback(proxy.server)}`
    await cli.run(['login', '--url', proxyUrl], operatorCredentials)
    expect((await cli.run(['reply', id, 'Only once', '--url', proxyUrl])).code).toBe(0)
    expect(proxy.lost()).toBe(1)
    expect(await textsOf(user, id)).toEqual(['It is urgent.', 'Only once'])
    expect(await service.world.mailsTo(user.email)).toHaveLength(1)
    proxy.server.close()
  })

  it('sends once when it is repeated, until the user writes again', async () => {
    const user = await service.world.user()
    const { id } = await service.openTicket(user, 'Help')
    await cli.run(['reply', id, 'Only once'])
    const second = await cli.run(['reply', id, 'Only once'])
    expect([second.code, second.output]).toEqual([0, expect.stringContaining('was already sent')])
    expect(await textsOf(user, id)).toHaveLength(2)

    const body = { text: 'And this?' }
    await user.call(sendTicketMessage, { params: { id }, body })
    await cli.run(['reply', id, 'Only once'])
    expect(await textsOf(user, id)).toHaveLength(4)
  })

  it('rejects unquoted text and mistyped options', async () => {
    const user = await service.world.user()
    const { id } = await service.openTicket(user, 'Help')
    expect((await cli.run(['reply', id, 'Not', 'quoted'])).errors).toContain('Nothing was sent')
    expect((await cli.run(['reply', id, '--stat=open'])).errors).toContain(
      'Unknown option: --stat=open',
    )
    expect((await cli.run(['reply', id])).errors).toContain('Missing reply')
    expect((await cli.run(['reply', id, 'a'])).errors).toBe('Please enter your message\n')
    expect(await textsOf(user, id)).toHaveLength(1)
  })

  it('does not read credentials from the standard input that contains the reply', async () => {
    await removeSession(cli.sessionFile)
    const { id } = await service.openTicket(await service.world.user(), 'Help')
    const { code, errors } = await cli.run(['reply', id, '-'], operatorCredentials)
    expect([code, errors]).toEqual([1, expect.stringMatching(/^You're not logged in/)])
  })
})

/** A proxy that closes the connection after the first reply is stored, before its response. */
function proxyLosingFirstReply(service: URL) {
  let lost = 0
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const outgoing = request(service, { method, path, headers }, (upstream) => {
      if (method === 'POST' && path.includes('/operator/') && lost === 0) {
        lost++
        upstream.resume().on('end', () => incoming.socket.destroy())
      } else {
        response.writeHead(upstream.statusCode ?? 0, upstream.headers)
        upstream.pipe(response)
      }
    })
    incoming.pipe(outgoing)
  })
  return { server, lost: () => lost }
}

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
import { hearAnnouncements } from '../../server/src/testing/announcements.ts'
import type { TestUser } from '../../server/src/testing/world.ts'
import {
  type Cli,
  createCli,
  createService,
  credentials,
  listening,
  type Service,
} from './cli.fixture.ts'
import { removeSession } from './session-file.ts'

const asOperator = credentials('operator@example.com')

let service: Service
let cli: Cli
beforeAll(async () => {
  service = await createService()
})
afterAll(() => service.close())
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
  await service.remember(cli)
})
afterEach(() => cli.remove())

describe('operator reply', () => {
  const textsOf = async (user: TestUser, id: string) =>
    (await user.call(viewTicket, { params: { id } })).messages.map(({ text }) => text)

  it('reaches the thread, the user’s mail and their open console', async () => {
    const user = await service.world.user({ name: 'Ada Example' })
    const { id } = await service.open(user, 'Help')
    const announcements = await hearAnnouncements(service.world.database.options)
    onTestFinished(() => announcements.close())
    const { code, output } = await cli.run(['reply', id.slice(-8), '- try "this" <b>now</b>'])
    expect([code, output]).toEqual([0, `Reply sent to Ada Example (${user.email}).\n`])
    expect(await textsOf(user, id)).toEqual(['It is urgent.', '- try "this" <b>now</b>'])
    expect((await service.world.mailsTo(user.email))[0]?.text).toContain('- try "this" <b>now</b>')
    expect(await announcements.take()).toEqual([
      { kind: 'Ticket', data: { type: 'Updated', ticketId: id } },
    ])
  })

  it('takes a text of several lines from the standard input', async () => {
    const user = await service.world.user()
    const { id } = await service.open(user, 'Help')
    const input = '\ufeffÖnce şunu deneyin:\r\n\r\n  npm start\n'
    expect((await cli.run(['reply', id, '-'], { input })).code).toBe(0)
    expect((await textsOf(user, id))[1]).toBe('Önce şunu deneyin:\n\n  npm start')
  })

  it('sends once when the answer gets lost', async () => {
    const user = await service.world.user()
    const { id } = await service.open(user, 'Help')
    const losing = losingFirstReply(new URL(service.url))
    const lossy = `http://localhost:${await listening(losing.server)}`
    await cli.run(['login', '--url', lossy], asOperator)
    expect((await cli.run(['reply', id, 'Only once', '--url', lossy])).code).toBe(0)
    expect(losing.lost()).toBe(1)
    expect(await textsOf(user, id)).toEqual(['It is urgent.', 'Only once'])
    expect(await service.world.mailsTo(user.email)).toHaveLength(1)
    losing.server.close()
  })

  it('sends once when it is run again, until the user has written', async () => {
    const user = await service.world.user()
    const { id } = await service.open(user, 'Help')
    await cli.run(['reply', id, 'Only once'])
    const again = await cli.run(['reply', id, 'Only once'])
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('was already sent')])
    expect(await textsOf(user, id)).toHaveLength(2)

    const body = { text: 'And this?' }
    await user.call(sendTicketMessage, { params: { id }, body })
    await cli.run(['reply', id, 'Only once'])
    expect(await textsOf(user, id)).toHaveLength(4)
  })

  it('sends nothing that was not put into quotes, and no mistyped option', async () => {
    const user = await service.world.user()
    const { id } = await service.open(user, 'Help')
    expect((await cli.run(['reply', id, 'Not', 'quoted'])).errors).toContain('Nothing was sent')
    expect((await cli.run(['reply', id, '--stat=open'])).errors).toContain(
      'Unknown option: --stat=open',
    )
    expect((await cli.run(['reply', id])).errors).toContain('Missing reply')
    expect((await cli.run(['reply', id, 'a'])).errors).toBe('Please enter your message\n')
    expect(await textsOf(user, id)).toHaveLength(1)
  })

  it('cannot ask for a password on the input that brings the text', async () => {
    await removeSession(cli.sessionFile)
    const { id } = await service.open(await service.world.user(), 'Help')
    const { code, errors } = await cli.run(['reply', id, '-'], asOperator)
    expect([code, errors]).toEqual([1, expect.stringMatching(/^You're not signed in/)])
  })
})

/** A way to the service that breaks when the first reply has been stored, before the answer is back. */
function losingFirstReply(service: URL) {
  let lost = 0
  const server = createServer((asked, answer) => {
    const { method = '', url: path = '', headers } = asked
    const onward = request(service, { method, path, headers }, (answered) => {
      if (method === 'POST' && path.includes('/operator/') && lost === 0) {
        lost++
        answered.resume().on('end', () => asked.socket.destroy())
      } else {
        answer.writeHead(answered.statusCode ?? 0, answered.headers)
        answered.pipe(answer)
      }
    })
    asked.pipe(onward)
  })
  return { server, lost: () => lost }
}

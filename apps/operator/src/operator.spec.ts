import { stat, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { dirname } from 'node:path'
import { logout } from '@slipway/contract/auth'
import { replyToTicket } from '@slipway/contract/operator'
import { changeTicketState, createTicket, viewTicket } from '@slipway/contract/support'
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
import * as account from '../../server/src/modules/account/account.service.ts'
import { hashPassword } from '../../server/src/modules/auth/auth.passwords.ts'
import { supportTickets } from '../../server/src/modules/support/support.schema.ts'
import { hearAnnouncements } from '../../server/src/testing/announcements.ts'
import { freePort } from '../../server/src/testing/free-port.ts'
import { createWorld, type Person, type World } from '../../server/src/testing/world.ts'
import { type Cli, createCli } from './cli.fixture.ts'
import { readSession, removeSession, writeSession } from './session-file.ts'

const password = 'Correct-horse7'
const credentials = (email: string) => `${email}\n${password}\n`
const asOperator = { input: credentials('operator@example.com') }

let world: World
let url: string
let operator: Person
let cli: Cli

async function withPassword(person: Person) {
  const hash = await hashPassword(password)
  await world.ctx.write((tx) => account.setPassword(world.ctx, tx, person.id, hash))
  // A new password ends the sessions of before.
  const token = await world.ctx.write((tx) => world.ctx.sessions.start(tx, person.id))
  return { ...person, token, call: world.client(token) }
}

beforeAll(async () => {
  world = await createWorld(
    { OPERATOR_EMAILS: ['operator@example.com', 'late@example.com'] },
    new Date(),
  )
  url = `http://localhost:${await world.listen()}`
  operator = await withPassword(await world.user({ email: 'operator@example.com' }))
})
afterAll(() => world.close())
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: url })
})
afterEach(() => cli.remove())

const beSignedIn = () =>
  writeSession(cli.sessionFile, { url, email: operator.email, token: operator.token })

/** A ticket that is a little younger than those before. */
function open(user: Person, subject: string, message = 'It is urgent.') {
  world.clock.forward(100)
  return user.call(createTicket, { body: { subject, message } })
}

describe('operator login', () => {
  it('remembers the session for this user of the machine alone', async () => {
    const { code, output } = await cli.run(['login'], asOperator)
    expect([code, output]).toEqual([0, `Signed in to ${url} as operator@example.com.\n`])
    expect((await stat(cli.sessionFile)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(cli.sessionFile))).mode & 0o777).toBe(0o700)
    expect(await readSession(cli.sessionFile)).toEqual({
      url,
      email: 'operator@example.com',
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(await cli.run(['tickets'])).toMatchObject({ code: 0, errors: '' })
  })

  it('refuses a wrong password and remembers nothing', async () => {
    const wrong = { input: 'operator@example.com\nwrong\n' }
    expect(await cli.run(['login'], wrong)).toEqual({
      code: 1,
      output: '',
      errors: 'Invalid credentials\n',
    })
    expect(await readSession(cli.sessionFile)).toBeUndefined()
  })

  it('tells somebody who is no operator what to set, and leaves no session behind', async () => {
    const somebody = await withPassword(await world.user({ email: 'somebody@example.com' }))
    const { code, errors } = await cli.run(['login'], { input: credentials(somebody.email) })
    expect(code).toBe(1)
    expect(errors).toContain('somebody@example.com is no operator: add it to OPERATOR_EMAILS')
    expect(await readSession(cli.sessionFile)).toBeUndefined()
  })

  it('says that an account must be verified', async () => {
    await withPassword(await world.user({ email: 'late@example.com', verified: false }))
    const { code, errors } = await cli.run(['login'], { input: credentials('late@example.com') })
    expect([code, errors]).toEqual([1, 'Your account is not verified yet\n'])
  })

  it('is asked for by any other command, once', async () => {
    expect((await cli.run(['tickets'], asOperator)).code).toBe(0)
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('is missed in one sentence where nobody can answer', async () => {
    const { code, errors } = await cli.run(['tickets'])
    expect([code, errors]).toEqual([
      1,
      'You are not signed in, or not any more: run npm run operator -- login\n',
    ])
  })

  it('is asked for again when the session has ended', async () => {
    await cli.run(['login'], asOperator)
    await world.client((await readSession(cli.sessionFile))?.token ?? '')(logout)
    const ended = await cli.run(['tickets'])
    expect([ended.code, ended.errors.split('\n')[0]]).toEqual([
      1,
      'Your session has ended. Please sign in again',
    ])
    expect((await cli.run(['tickets'], asOperator)).code).toBe(0)
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('never gives a session to another address', async () => {
    await cli.run(['login'], asOperator)
    const seen: unknown[] = []
    const stranger = createServer((asked, answer) => {
      seen.push(asked.headers.authorization)
      answer.end('<html>Hello</html>')
    })
    const port = await listening(stranger)
    const there = ['tickets', '--url', `http://localhost:${port}`]
    expect((await cli.run(there)).code).toBe(1)
    expect(seen).toEqual([])
    const { code, errors } = await cli.run(there, asOperator)
    expect([code, errors]).toEqual([
      1,
      `What answers at http://localhost:${port} is not Slipway.\n`,
    ])
    expect(seen).toEqual([undefined])
    stranger.close()
  })
})

describe('operator logout', () => {
  it('ends the session here and at the server', async () => {
    await cli.run(['login'], asOperator)
    const session = await readSession(cli.sessionFile)
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, output: 'Signed out.\n' })
    await expect(stat(cli.sessionFile)).rejects.toThrow('ENOENT')
    await writeFile(cli.sessionFile, JSON.stringify(session))
    expect((await cli.run(['tickets'])).code).toBe(1)
    expect((await cli.run(['logout'])).code).toBe(0)
  })
})

describe('operator tickets', () => {
  beforeEach(async () => {
    await world.ctx.db.delete(supportTickets)
    await beSignedIn()
  })

  it('lists who waits first, in aligned columns', async () => {
    const user = await world.user({ name: 'Ayşe O’Hara' })
    const done = await open(user, 'Solved')
    await user.call(changeTicketState, { params: { id: done.id }, body: { state: 'resolved' } })
    const { id } = await open(user, 'Sitem açılmıyor 網站')
    const { output } = await cli.run(['tickets'])
    expect(output.split('\n')).toEqual([
      'Id        State     Subject               From         Last update',
      `${id.slice(-8)}  Waiting   Sitem açılmıyor 網站  Ayşe O’Hara  now`,
      `${done.id.slice(-8)}  Resolved  Solved                Ayşe O’Hara  now`,
      '',
    ])
  })

  it('speaks Turkish where the terminal does', async () => {
    await open(await world.user(), 'Konu')
    const { output } = await cli.run(['tickets'], { LANG: 'tr_TR.UTF-8' })
    expect(output).toMatch(/^Kimlik +Durum +Konu +Gönderen +Son güncelleme\n\w{8} +Bekliyor/)
  })

  it('filters, searches and turns pages', async () => {
    const user = await world.user()
    for (let i = 1; i <= 11; i++) await open(user, `IŞIK ${i}`)
    expect((await cli.run(['tickets', '--state=resolved'])).output).toBe('No tickets.\n')
    expect((await cli.run(['tickets', '--search', 'ışık 11'])).output).toContain('IŞIK 11')
    const first = await cli.run(['tickets', '--state', 'open'])
    expect(first.output).toContain('Page 1 of 2')
    expect(first.output.trim().split('\n')).toHaveLength(13)
    expect((await cli.run(['tickets', '--page', '2'])).output).toContain('IŞIK 11')
    expect((await cli.run(['tickets', '--page', '3'])).output).toContain('There is no page 3')
  })

  it('lets nothing of a user reach the terminal but letters', async () => {
    const user = await world.user({ name: 'Eve \u001b[31mred\u001b[0m \u202egnp.exe\u0007' })
    await open(user, 'Fine')
    const { output } = await cli.run(['tickets'], { FORCE_COLOR: '0' })
    expect(output).toContain('Eve  [31mred [0m gnp.exe')
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}]/u)
  })

  it('colours a terminal alone, and not with NO_COLOR', async () => {
    await open(await world.user(), 'Colours')
    expect((await cli.run(['tickets'])).output).not.toContain('\u001b')
    expect((await cli.run(['tickets'], { FORCE_COLOR: '1' })).output).toContain('\u001b[33m')
  })
})

describe('operator ticket', () => {
  beforeEach(beSignedIn)

  it('shows the thread, its lines as they were typed and wrapped', async () => {
    const user = await world.user({ name: 'Ada Example' })
    const message = `First line\n    code <b>\n\n${'word '.repeat(30)}`
    const { id } = await open(user, 'How it looks', message)
    await operator.call(replyToTicket, { params: { id }, body: { text: 'Looking at it.' } })
    const { output } = await cli.run(['ticket', id])
    const lines = output.split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'How it looks',
      `Ada Example <${user.email}>`,
      'Open · opened now',
      id,
    ])
    expect(lines[5]).toMatch(/^Ada Example now · /)
    expect(lines.slice(6, 11)).toEqual([
      '  First line',
      '      code <b>',
      '',
      `  ${'word '.repeat(19).trim()}`,
      `  ${'word '.repeat(11).trim()}`,
    ])
    expect(lines[12]).toMatch(/^Support Team now · /)
    expect(lines[13]).toBe('  Looking at it.')
  })

  it('takes eight characters or more of the end or the beginning of an id', async () => {
    const { id } = await open(await world.user(), 'By its end')
    for (const part of [id.slice(-8), `…${id.slice(-8)}`, id.slice(0, 30), id.toUpperCase()])
      expect((await cli.run(['ticket', part])).output, part).toContain('By its end')
    expect((await cli.run(['ticket', id.slice(-7)])).errors).toContain('at least eight characters')
    // What it is called is no part of its id.
    expect((await cli.run(['ticket', 'By its end'])).errors).toContain('Could not find the ticket')
  })

  it('says that there is none', async () => {
    const none = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect(await cli.run(['ticket', none])).toEqual({
      code: 1,
      output: '',
      errors: 'Could not find the ticket\n',
    })
  })
})

describe('operator reply', () => {
  beforeEach(beSignedIn)

  const textsOf = async (user: Person, id: string) =>
    (await user.call(viewTicket, { params: { id } })).messages.map(({ text }) => text)

  it('reaches the thread, the user’s mail and their open console', async () => {
    const user = await world.user({ name: 'Ada Example' })
    const { id } = await open(user, 'Help')
    const announcements = await hearAnnouncements(world.database.options)
    onTestFinished(() => announcements.close())
    const { code, output } = await cli.run(['reply', id.slice(-8), '- try "this" <b>now</b>'])
    expect([code, output]).toEqual([0, `Your reply was sent to Ada Example (${user.email}).\n`])
    expect(await textsOf(user, id)).toEqual(['It is urgent.', '- try "this" <b>now</b>'])
    expect((await world.mailsTo(user.email))[0]?.text).toContain('- try "this" <b>now</b>')
    expect(await announcements.take()).toEqual([
      { kind: 'Ticket', data: { type: 'Updated', ticketId: id } },
    ])
  })

  it('takes a text of several lines from the standard input', async () => {
    const user = await world.user()
    const { id } = await open(user, 'Help')
    const input = '\ufeffÖnce şunu deneyin:\r\n\r\n  npm start\n'
    expect((await cli.run(['reply', id, '-'], { input })).code).toBe(0)
    expect((await textsOf(user, id))[1]).toBe('Önce şunu deneyin:\n\n  npm start')
  })

  it('sends once when the answer gets lost', async () => {
    const user = await world.user()
    const { id } = await open(user, 'Help')
    const losing = losingFirstReply(new URL(url))
    const lossy = `http://localhost:${await listening(losing.server)}`
    await cli.run(['login', '--url', lossy], asOperator)
    expect((await cli.run(['reply', id, 'Only once', '--url', lossy])).code).toBe(0)
    expect(losing.lost()).toBe(1)
    expect(await textsOf(user, id)).toEqual(['It is urgent.', 'Only once'])
    expect(await world.mailsTo(user.email)).toHaveLength(1)
    losing.server.close()
  })

  it('sends once when it is run again, until the user has written', async () => {
    const user = await world.user()
    const { id } = await open(user, 'Help')
    await cli.run(['reply', id, 'Only once'])
    const again = await cli.run(['reply', id, 'Only once'])
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('was there already')])
    expect(await textsOf(user, id)).toHaveLength(2)
  })

  it('sends nothing that was not put into quotes, and no mistyped option', async () => {
    const user = await world.user()
    const { id } = await open(user, 'Help')
    expect((await cli.run(['reply', id, 'Not', 'quoted'])).errors).toContain('Nothing was sent')
    expect((await cli.run(['reply', id, '--stat=open'])).errors).toContain('no option --stat=open')
    expect((await cli.run(['reply', id])).errors).toContain('What is the reply?')
    expect((await cli.run(['reply', id, 'a'])).errors).toBe('Please enter your message\n')
    expect(await textsOf(user, id)).toHaveLength(1)
  })

  it('cannot ask for a password on the input that brings the text', async () => {
    await removeSession(cli.sessionFile)
    const { id } = await open(await world.user(), 'Help')
    const { code, errors } = await cli.run(['reply', id, '-'], asOperator)
    expect([code, errors]).toEqual([1, expect.stringMatching(/^You are not signed in/)])
  })
})

describe('the command line', () => {
  it('shows its help', async () => {
    const { code, output } = await cli.run(['--help'])
    expect([code, output]).toEqual([0, expect.stringContaining('Usage: npm run operator --')])
    expect((await cli.run(['--help'], { LANG: 'tr_TR' })).output).toContain('Kullanım:')
    expect(await cli.run([])).toMatchObject({ code: 1, errors: output })
  })

  it.each([
    [['nothing'], 'There is no command nothing'],
    [['tickets', '--stat', 'open'], 'There is no option --stat'],
    [['tickets', '--page'], 'The option --page needs a value'],
    [['tickets', '--page', '0'], 'The page must be a number from 1'],
    [['tickets', '--state', 'closed'], 'must be one of open, resolved'],
    [['tickets', 'open'], 'There is nothing to do with open'],
    [['tickets', '--url', 'localhost:3000'], 'must begin with http:// or https://'],
    [['ticket'], 'Which ticket?'],
  ])('says of %j what is wrong', async (args, sentence) => {
    const { code, output, errors } = await cli.run(args)
    expect([code, output, errors]).toEqual([1, '', expect.stringContaining(sentence)])
    expect(errors.trim().split('\n')).toHaveLength(1)
  })

  it('says in one sentence that the server is away', async () => {
    const away = `http://localhost:${await freePort()}`
    const { code, errors } = await cli.run(['login', '--url', away], asOperator)
    expect([code, errors]).toEqual([1, `Could not reach ${away}: is Slipway running there?\n`])
  })
})

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address.port
}

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

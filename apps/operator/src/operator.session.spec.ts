import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { getProfile } from '@slipway/contract/account'
import { logout } from '@slipway/contract/sessions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../server/src/testing/free-port.ts'
import {
  type Cli,
  createCli,
  createService,
  credentials,
  listening,
  password,
  type Service,
} from './cli.fixture.ts'
import { readSession, writeSession } from './session-file.ts'

const asOperator = credentials('operator@example.com')

let service: Service
let cli: Cli
beforeAll(async () => {
  service = await createService()
})
afterAll(() => service.close())
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
})
afterEach(() => cli.remove())

describe('operator login', () => {
  it('remembers the session for this user of the machine alone', async () => {
    const { code, output } = await cli.run(['login'], asOperator)
    expect([code, output]).toEqual([0, `Signed in to ${service.url} as operator@example.com.\n`])
    expect((await stat(cli.sessionFile)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(cli.sessionFile))).mode & 0o777).toBe(0o700)
    expect(await readSession(cli.sessionFile)).toEqual({
      url: service.url,
      email: 'operator@example.com',
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(await cli.run(['tickets'])).toMatchObject({ code: 0, errors: '' })
  })

  it('ends the session that it replaces', async () => {
    await cli.run(['login'], asOperator)
    const replaced = await readSession(cli.sessionFile)
    expect((await cli.run(['login'], asOperator)).code).toBe(0)
    const call = service.world.client(replaced?.token ?? '')
    await expect(call(getProfile)).rejects.toThrow('unauthorized')
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('replaces a session whose service is gone', async () => {
    const url = `http://localhost:${await freePort()}`
    await writeSession(cli.sessionFile, { url, email: 'operator@example.com', token: 'old' })
    expect(await cli.run(['login'], asOperator)).toMatchObject({ code: 0, errors: '' })
    expect((await readSession(cli.sessionFile))?.url).toBe(service.url)
  })

  it('says that somebody is no operator even if the service is gone before they are signed out', async () => {
    const { email } = await service.world.user({ email: 'almost@example.com', password })
    const cut = createServer(async (asked, answer) => {
      if (asked.url?.endsWith(logout.path)) return void asked.socket.destroy()
      const { method = 'GET', headers } = asked
      const body = method === 'GET' ? null : Buffer.concat(await asked.toArray())
      const { authorization = '' } = headers
      const sent = { 'content-type': 'application/json', authorization }
      const from = await fetch(service.url + asked.url, { method, headers: sent, body })
      answer.writeHead(from.status, { 'content-type': 'application/json' }).end(await from.text())
    })
    const url = `http://localhost:${await listening(cut)}`
    const { code, errors } = await cli.run(['login', '--url', url], credentials(email))
    expect([code, errors]).toEqual([1, expect.stringContaining(`${email} is not an operator`)])
    cut.close()
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
    const somebody = await service.world.user({ email: 'somebody@example.com', password })
    const { code, errors } = await cli.run(['login'], credentials(somebody.email))
    expect(code).toBe(1)
    expect(errors).toContain('somebody@example.com is not an operator. Add it to OPERATOR_EMAILS')
    expect(await readSession(cli.sessionFile)).toBeUndefined()
  })

  it('says that an account must be verified', async () => {
    await service.world.user({ email: 'late@example.com', verified: false, password })
    const { code, errors } = await cli.run(['login'], credentials('late@example.com'))
    expect([code, errors]).toEqual([1, "Your account isn't verified yet\n"])
  })

  it('is asked for by any other command, once', async () => {
    expect((await cli.run(['tickets'], asOperator)).code).toBe(0)
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('is missed in one sentence where nobody can answer', async () => {
    const { code, errors } = await cli.run(['tickets'])
    expect([code, errors]).toEqual([1, "You're not signed in. Run: npm run operator -- login\n"])
  })

  it('is asked for again when the session has ended', async () => {
    await cli.run(['login'], asOperator)
    await service.world.client((await readSession(cli.sessionFile))?.token ?? '')(logout)
    const ended = await cli.run(['tickets'])
    expect([ended.code, ended.errors.split('\n')[0]]).toEqual([
      1,
      'Your session has expired. Please log in again',
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
    expect([code, errors]).toEqual([1, `The server at http://localhost:${port} is not Slipway.\n`])
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

describe('the command line', () => {
  it('shows its help', async () => {
    const { code, output } = await cli.run(['--help'])
    expect([code, output]).toEqual([0, expect.stringContaining('Usage: npm run operator --')])
    expect((await cli.run(['--help'], { LANG: 'tr_TR' })).output).toContain('Kullanım:')
    expect(await cli.run([])).toMatchObject({ code: 1, errors: output })
  })

  it.each([
    [['nothing'], 'Unknown command: nothing'],
    [['tickets', '--stat', 'open'], 'Unknown option: --stat'],
    [['tickets', '--page'], 'Option --page needs a value'],
    [['tickets', '--page', '0'], 'The page must be 1 or greater'],
    [['tickets', '--state', 'closed'], 'must be one of open, resolved'],
    [['tickets', 'open'], 'Unexpected argument: open'],
    [['tickets', '--url', 'localhost:3000'], 'must start with http:// or https://'],
    [['ticket'], 'Missing ticket ID'],
  ])('says of %j what is wrong', async (args, sentence) => {
    const { code, output, errors } = await cli.run(args)
    expect([code, output, errors]).toEqual([1, '', expect.stringContaining(sentence)])
    expect(errors.trim().split('\n')).toHaveLength(1)
  })

  it('says in one sentence that the server is away', async () => {
    const away = `http://localhost:${await freePort()}`
    const { code, errors } = await cli.run(['login', '--url', away], asOperator)
    expect([code, errors]).toEqual([1, `Couldn't reach ${away}. Is Slipway running there?\n`])
  })
})

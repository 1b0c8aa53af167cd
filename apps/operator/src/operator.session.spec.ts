import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { getProfile } from '@slipway/contract/account'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login, logout } from '@slipway/contract/sessions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../server/src/testing/free-port.ts'
import {
  type Cli,
  createCli,
  createService,
  credentials,
  listenOnLoopback,
  password,
  type Service,
} from './cli.fixture.ts'
import { readSession, writeSession } from './session-file.ts'

const operatorCredentials = credentials('operator@example.com')

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
  it('stores the session in a file that only this user of the machine can read', async () => {
    const { code, output } = await cli.run(['login'], operatorCredentials)
    expect([code, output]).toEqual([0, `Logged in to ${service.url} as operator@example.com.\n`])
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
    await cli.run(['login'], operatorCredentials)
    const replaced = await readSession(cli.sessionFile)
    expect((await cli.run(['login'], operatorCredentials)).code).toBe(0)
    const call = service.world.client(replaced?.token ?? '')
    await expect(call(getProfile)).rejects.toThrow('unauthorized')
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('replaces a session of a service that is down', async () => {
    const url = `http://localhost:${await freePort()}`
    await writeSession(cli.sessionFile, { url, email: 'operator@example.com', token: 'old' })
    expect(await cli.run(['login'], operatorCredentials)).toMatchObject({ code: 0, errors: '' })
    expect((await readSession(cli.sessionFile))?.url).toBe(service.url)
  })

  it('reports that a user is not an operator even if the logout gets no response', async () => {
    const { email } = await service.world.user({ email: 'almost@example.com', password })
    const proxy = createServer(async (incoming, response) => {
      if (incoming.url?.endsWith(logout.path)) return void incoming.socket.destroy()
      const { method = 'GET', headers } = incoming
      const body = method === 'GET' ? null : Buffer.concat(await incoming.toArray())
      const { authorization = '' } = headers
      const forwarded = { 'content-type': 'application/json', authorization }
      const upstream = await fetch(service.url + incoming.url, { method, headers: forwarded, body })
      response
        .writeHead(upstream.status, { 'content-type': 'application/json' })
        .end(await upstream.text())
    })
    const url = `http://localhost:${await listenOnLoopback(proxy)}`
    const { code, errors } = await cli.run(['login', '--url', url], credentials(email))
    expect([code, errors]).toEqual([1, expect.stringContaining(`${email} is not an operator`)])
    proxy.close()
  })

  it('solves the captcha that the service requires after too many wrong passwords', async () => {
    const { email } = service.operator
    for (let tries = 0; tries < serviceLimits.wrongPasswordsPerAccountAndNetwork; tries++)
      await service.world.guest(login, { body: { email, password: 'x' } }).catch(() => undefined)
    expect(await cli.run(['login'], { input: `${email}\nwrong\n` })).toMatchObject({
      code: 1,
      errors: 'Invalid credentials\n',
    })
    expect((await cli.run(['login'], credentials(email))).code).toBe(0)
  })

  it('rejects a wrong password and stores nothing', async () => {
    const wrong = { input: 'operator@example.com\nwrong\n' }
    expect(await cli.run(['login'], wrong)).toEqual({
      code: 1,
      output: '',
      errors: 'Invalid credentials\n',
    })
    expect(await readSession(cli.sessionFile)).toBeUndefined()
  })

  it('names OPERATOR_EMAILS to a user who is not an operator, and stores no session', async () => {
    const user = await service.world.user({ email: 'other@example.com', password })
    const { code, errors } = await cli.run(['login'], credentials(user.email))
    expect(code).toBe(1)
    expect(errors).toContain('other@example.com is not an operator. Add it to OPERATOR_EMAILS')
    expect(await readSession(cli.sessionFile)).toBeUndefined()
  })

  it('rejects an unverified account', async () => {
    await service.world.user({ email: 'late@example.com', verified: false, password })
    const { code, errors } = await cli.run(['login'], credentials('late@example.com'))
    expect([code, errors]).toEqual([1, "Your account isn't verified yet\n"])
  })

  it('is prompted for by the first command that needs it, and not by the next', async () => {
    expect((await cli.run(['tickets'], operatorCredentials)).code).toBe(0)
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('is named in the error of a command without input', async () => {
    const { code, errors } = await cli.run(['tickets'])
    expect([code, errors]).toEqual([1, "You're not logged in. Run: npm run operator -- login\n"])
  })

  it('is prompted for again once the session has ended', async () => {
    await cli.run(['login'], operatorCredentials)
    await service.world.client((await readSession(cli.sessionFile))?.token ?? '')(logout)
    const ended = await cli.run(['tickets'])
    expect([ended.code, ended.errors.split('\n')[0]]).toEqual([
      1,
      'Your session has expired. Please log in again',
    ])
    expect((await cli.run(['tickets'], operatorCredentials)).code).toBe(0)
    expect((await cli.run(['tickets'])).code).toBe(0)
  })

  it('never sends a session to another origin', async () => {
    await cli.run(['login'], operatorCredentials)
    const received: unknown[] = []
    const otherServer = createServer((request, response) => {
      received.push(request.headers.authorization)
      response.end('<html>Hello</html>')
    })
    const port = await listenOnLoopback(otherServer)
    const args = ['tickets', '--url', `http://localhost:${port}`]
    expect((await cli.run(args)).code).toBe(1)
    expect(received).toEqual([])
    const { code, errors } = await cli.run(args, operatorCredentials)
    expect([code, errors]).toEqual([1, `The server at http://localhost:${port} is not Slipway.\n`])
    expect(received).toEqual([undefined])
    otherServer.close()
  })
})

describe('operator logout', () => {
  it('deletes the session file and ends the session', async () => {
    await cli.run(['login'], operatorCredentials)
    const session = await readSession(cli.sessionFile)
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, output: 'Logged out.\n' })
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
    [['ticket'], 'Missing ID'],
    [['retry'], 'Missing ID'],
    [['emails', '--state', 'open'], 'The state must be one of queued, failed.'],
  ])('reports the error of %j in one line', async (args, sentence) => {
    const { code, output, errors } = await cli.run(args)
    expect([code, output, errors]).toEqual([1, '', expect.stringContaining(sentence)])
    expect(errors.trim().split('\n')).toHaveLength(1)
  })

  it('reports in one line that the server is down', async () => {
    const url = `http://localhost:${await freePort()}`
    const { code, errors } = await cli.run(['login', '--url', url], operatorCredentials)
    expect([code, errors]).toEqual([1, `Couldn't reach ${url}. Is Slipway running there?\n`])
  })
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { listEnvironment } from '@slipway/contract/environment'
import { eventStreamType } from '@slipway/contract/event-stream'
import {
  approveDevice,
  deletePersonalToken,
  denyDevice,
  listPersonalTokens,
} from '@slipway/contract/personal-tokens'
import type { Runtime } from '@slipway/contract/runtimes'
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
import { valuesOf } from '../../server/src/modules/environment/environment.service.ts'
import { imageReleaseOf } from '../../server/src/modules/releases/releases.fixture.ts'
import {
  insertVersion,
  setVersion,
} from '../../server/src/modules/runtime-versions/runtime-versions.fixture.ts'
import { until } from '../../server/src/testing/until.ts'
import { type Cli, createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld, listenOnLoopback } from './cli-world.fixture.ts'
import { createRelay, reject } from './relay.fixture.ts'

let service: CliWorld
let world: CliWorld['world']
let owner: CliWorld['owner']
let newSite: CliWorld['newSite']
let url: string
let cli: Cli

beforeAll(async () => {
  service = await createCliWorld()
  ;({ world, owner, newSite, url } = service)
})
afterAll(() => service.close())

beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: url })
})
afterEach(() => cli.remove())

describe('slipway login', () => {
  it('shows a code, and stores a token once its user has confirmed it', async () => {
    const site = await newSite()
    const { child, result, ended } = cli.start(['login', '--json'])
    const code = await until(async () => /code: ([A-Z]{4}-[A-Z]{4})/.exec(result.errors)?.[1])
    expect(result.errors).toContain(`/account/device?code=${code}`)
    await owner.call(approveDevice, { body: { code, projectIds: [site.id] } })
    const [exitCode] = await ended
    expect([exitCode, child.signalCode]).toEqual([0, null])
    expect(JSON.parse(result.output)).toMatchObject({
      user: { email: owner.email },
      personalToken: { projects: [{ key: site.key }] },
    })
    expect((await stat(cli.loginFile)).mode & 0o777).toBe(0o600)
    expect(result.output + result.errors).not.toContain('slipway_pat_')

    const who = await cli.run(['whoami'])
    expect(who.output).toContain(owner.email)
    expect(who.output).toContain(site.key)

    // Only the service that issued the token gets it.
    const elsewhere = await cli.run(['whoami', '--url', 'http://127.0.0.1:9'])
    expect(elsewhere.errors).toContain('not logged in')

    const before = await owner.call(listPersonalTokens)
    expect((await cli.run(['logout'])).code).toBe(0)
    expect(await owner.call(listPersonalTokens)).toHaveLength(before.length - 1)
    expect((await cli.run(['whoami'])).errors).toContain("You're not logged in")
  })

  it('revokes the token at the logout, also when the first request has no response', async () => {
    const { token, tokenId } = await newSite()
    await mkdir(dirname(cli.loginFile), { recursive: true })
    let requests = 0
    const relay = await createRelay(url, (_request, response) => {
      requests += 1
      if (requests === 1) response.destroy()
      return requests === 1
    })
    onTestFinished(relay.close)
    await writeFile(cli.loginFile, JSON.stringify({ url: relay.url, token }))
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, errors: '' })
    expect(requests).toBe(2)
    expect((await owner.call(listPersonalTokens)).map(({ id }) => id)).not.toContain(tokenId)
  })

  it('fails when the user denies it', async () => {
    const { result, ended } = cli.start(['login'])
    const code = await until(async () => /code: ([A-Z]{4}-[A-Z]{4})/.exec(result.errors)?.[1])
    await owner.call(denyDevice, { body: { code } })
    expect((await ended)[0]).toBe(1)
    expect(result.errors).toContain('The login was denied.')
  })

  it('is canceled by Ctrl-C', async () => {
    const { child, result, ended } = cli.start(['login'])
    await until(async () => result.errors.includes('code:') || undefined)
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
    expect(result.errors).toContain('Canceled.')
  })
})

describe('slipway update', () => {
  it('says that a site of uploaded files has no version to update to', async () => {
    const { env } = await newSite()
    const { code, errors } = await cli.run(['update'], env)
    expect(code).toBe(1)
    expect(errors).toContain('Only WordPress has versions to update to.')
  })

  it('succeeds without a release when the site runs the newest version', async () => {
    const { env, id, releases } = await newSite()
    await setVersion(world.ctx.db, id, await insertVersion(world, '6.1.9'))
    const { code, output } = await cli.run(['update'], env)
    expect([code, output]).toEqual([0, 'The site already runs the newest version.\n'])
    const inJson = await cli.run(['update', '--json'], env)
    expect([inJson.code, JSON.parse(inJson.output)]).toMatchObject([0, { release: null }])
    expect(await releases()).toEqual([])
  })
})

describe('slipway rollback and releases', () => {
  it('brings an earlier release back, which the list shows', async () => {
    const { env, visit } = await newSite()
    for (const text of ['one', 'two']) {
      await cli.write({ 'index.html': text })
      await cli.run(['deploy'], env)
    }
    const back = await cli.run(['rollback', '1'], env)
    expect(back.output).toContain('Release 3 is live')
    expect(await visit()).toBe('one')
    const list = await cli.run(['releases'], env)
    expect(list.output).toMatch(/3 +Live .*Ada Lovelace +Rollback to release 1/)
    const json = JSON.parse((await cli.run(['releases', '--json'], env)).output)
    expect(json.map(({ number }: { number: number }) => number)).toEqual([3, 2, 1])
    expect((await cli.run(['rollback', '9'], env)).errors).toContain('Release not found')
    expect((await cli.run(['rollback', 'x'], env)).code).toBe(2)
  })

  it('lists a container image with the start of its digest', async () => {
    const { env, id: projectId } = await newSite()
    await imageReleaseOf(world, { projectId, userId: owner.id })
    const { output } = await cli.run(['releases'], env)
    expect(output).toMatch(/ ghcr\.io\/acme\/shop@sha256:1{12}\n/)
  })
})

describe('slipway logs', () => {
  const print = async (key: string, text: string) => {
    world.ctx.logs.add(key, 'site', { time: Date.now(), text })
    await world.ctx.logs.flush()
  }

  it('prints the newest lines, which cannot control the terminal', async () => {
    const { key, env } = await newSite()
    await print(key, 'first')
    await print(key, 'se\u001b[31mcond')
    const { output } = await cli.run(['logs', '-n', '1'], env)
    expect(output).toMatch(/^\S+Z se \[31mcond\n$/)
    expect(output).not.toContain('\u001b')
    const json = JSON.parse((await cli.run(['logs', '--json'], env)).output)
    expect(json.map(({ text }: { text: string }) => text)).toEqual(['first', 'se\u001b[31mcond'])
    expect((await cli.run(['logs', '--source', 'x'], env)).code).toBe(2)
    const none = await cli.run(['logs', '--source', 'requests'], env)
    expect(none).toEqual({ code: 0, output: '', errors: 'No requests yet\n' })
  })

  it('follows new lines until its token is revoked', async () => {
    const { key, env, tokenId } = await newSite()
    await print(key, 'before')
    const { result, ended } = cli.start(['logs', '--follow'], env)
    await until(async () => result.output.includes('before') || undefined)
    await print(key, 'after')
    await until(async () => result.output.includes('after') || undefined)
    await owner.call(deletePersonalToken, { params: { id: tokenId } })
    expect((await ended)[0]).toBe(1)
    expect(result.errors).toContain('The token has expired or was revoked.')
    expect(result.output.match(/before|after/g)).toEqual(['before', 'after'])
  })

  it('follows new lines as one JSON document each', async () => {
    const { key, env, tokenId } = await newSite()
    await print(key, 'before')
    const { result, ended } = cli.start(['logs', '--json', '--follow'], env)
    await until(async () => result.output.includes('before') || undefined)
    await print(key, 'after')
    await until(async () => result.output.includes('after') || undefined)
    await owner.call(deletePersonalToken, { params: { id: tokenId } })
    await ended
    // The error follows the lines as a separate JSON document.
    const lines = result.output.split('\n').slice(0, 2)
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['before', 'after'])
  })

  it('ends without a message once its output is closed', async () => {
    const { key, env } = await newSite()
    await print(key, 'before')
    const { child, result, ended } = cli.start(['logs', '--follow'], env)
    onTestFinished(() => void child.kill())
    await until(async () => result.output.includes('before') || undefined)
    child.stdout.destroy()
    await print(key, 'after')
    expect([(await ended)[0], result.errors]).toEqual([141, ''])
  })

  /** Follows a site's log through a relay that handles some of the streams itself. */
  async function followThroughRelay(
    env: Record<string, string>,
    intercept: (stream: number, response: ServerResponse) => boolean,
  ) {
    let streams = 0
    const relay = await createRelay(url, ({ headers }, response) => {
      if (headers.accept !== eventStreamType) return false
      streams += 1
      return intercept(streams, response)
    })
    onTestFinished(relay.close)
    const command = cli.start(['logs', '--follow'], { ...env, SLIPWAY_URL: relay.url })
    onTestFinished(() => void command.child.kill())
    return command
  }

  const rejectWithPage = (response: ServerResponse, status: number) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Error</h1>')

  it('continues after a lost connection, and says once that it retries', async () => {
    const { key, env } = await newSite()
    await print(key, 'before')
    const failures: ((response: ServerResponse) => void)[] = [
      (response) => reject(response, 'too_many_requests'),
      (response) => reject(response, 'too_many_streams'),
      (response) => reject(response, 'unavailable'),
      (response) => rejectWithPage(response, 502),
    ]
    let first: ServerResponse | undefined
    const { result } = await followThroughRelay(env, (stream, response) => {
      first ??= response
      const fail = failures[stream - 2]
      fail?.(response)
      return fail !== undefined
    })
    await until(async () => result.output.includes('before') || undefined)
    first?.destroy()
    await print(key, 'after')
    await until(async () => result.output.includes('after') || undefined)
    expect(result.output.match(/before|after/g)).toEqual(['before', 'after'])
    expect(result.errors).toBe('The connection was lost. Retrying…\n')
  })

  it('says that too many logs are followed, and starts once one is closed', async () => {
    const { key, env } = await newSite()
    await print(key, 'before')
    const { result } = await followThroughRelay(env, (stream, response) => {
      if (stream > 2) return false
      reject(response, 'too_many_streams')
      return true
    })
    await until(async () => result.output.includes('before') || undefined)
    expect(result.errors).toMatch(/^You have too many live logs open\. .*\n$/)
  })

  it('fails when another server responds', async () => {
    const { env } = await newSite()
    const { result, ended } = await followThroughRelay(env, (_stream, response) => {
      rejectWithPage(response, 404)
      return true
    })
    expect((await ended)[0]).toBe(1)
    expect(result.errors).toMatch(/^The server at \S+ is not Slipway\.\n$/)
  })
})

describe('slipway env', () => {
  it('sets a value from the standard input and those of a .env file, and removes variables', async () => {
    const { id, env } = await newSite()
    const set = await cli.run(['env', 'set', 'API_KEY'], { ...env, input: 'top secret\n' })
    expect({ code: set.code, errors: set.errors }).toEqual({ code: 0, errors: '' })
    await cli.write({ '.env': 'A=1\nexport B="two\\nlines"\n' })
    await cli.run(['env', 'set', '--file', '.env'], env)
    expect(await valuesOf(world.ctx, id)).toEqual({
      API_KEY: 'top secret',
      A: '1',
      B: 'two\nlines',
    })
    const list = await cli.run(['env', 'list'], env)
    expect(list.output).toBe('A\nAPI_KEY\nB\n')
    const unknown = await cli.run(['env', 'unset', 'A', 'UNKNOWN'], env)
    expect([unknown.code, unknown.errors]).toEqual([
      1,
      'There is no variable UNKNOWN. List them: slipway env list\n',
    ])
    await cli.run(['env', 'unset', 'A', 'B'], env)
    const { variables } = await owner.call(listEnvironment, { params: { id } })
    expect(variables.map(({ name }) => name)).toEqual(['API_KEY'])
    for (const { output, errors } of [set, list]) expect(output + errors).not.toContain('secret')
  })

  it('says that the site restarts, unless it is a static one', async () => {
    const set = async (runtime: Runtime) => {
      const { env } = await newSite('Example site', runtime)
      return (await cli.run(['env', 'set', 'A'], { ...env, input: '1' })).output
    }
    expect(await set('starter')).toBe('Saved. The site restarts with the change.\n')
    expect(await set('static')).toBe("Saved. A static site doesn't read variables.\n")
  })

  it('accepts no value on the command line, no reserved name and no broken file', async () => {
    const { env } = await newSite()
    const onCommandLine = await cli.run(['env', 'set', 'A=secret'], env)
    expect(onCommandLine.code).toBe(2)
    expect(onCommandLine.errors).toContain("shell's history")
    expect(onCommandLine.errors).not.toContain('A=secret')
    const reserved = await cli.run(['env', 'set', 'PORT'], { ...env, input: '1' })
    expect(reserved.errors).toContain('The service sets this variable itself')
    await cli.write({ broken: 'A=1\nnot an assignment\n' })
    const broken = await cli.run(['env', 'set', '--file', 'broken'], env)
    expect(broken.errors).toContain('not in the form NAME=value: 2')
  })
})

describe('slipway open', () => {
  // Replaces the program that opens addresses on Linux, and records its arguments.
  const opener = 'xdg-open'

  it.skipIf(process.platform !== 'linux')(
    'opens the address of the site in the browser, and prints it',
    async () => {
      const { env, key } = await newSite()
      await cli.write({
        [opener]: '#!/bin/sh\nprintf %s "$*" > opened.part && mv opened.part opened',
      })
      await chmod(join(cli.folder, opener), 0o755)
      const path = `${cli.folder}:${process.env.PATH}`
      const { code, output } = await cli.run(['open'], { ...env, PATH: path })
      const address = `http://${key}.localhost:${world.env.SITES_PORT}`
      expect([code, output]).toEqual([0, `${address}\n`])
      const opened = () => readFile(join(cli.folder, 'opened'), 'utf8').catch(() => undefined)
      expect(await until(opened)).toBe(address)
    },
  )

  it('prints the address on a machine without a browser', async () => {
    const { env, key } = await newSite()
    const { code, output, errors } = await cli.run(['open', '--json'], { ...env, PATH: '' })
    expect([code, errors]).toEqual([0, ''])
    expect(JSON.parse(output)).toEqual({
      url: `http://${key}.localhost:${world.env.SITES_PORT}`,
    })
  })
})

describe('the command line', () => {
  it('prints errors as sentences in the language of the terminal, and as JSON', async () => {
    const { tokenId, env } = await newSite()
    const turkish = { ...env, LANG: 'tr_TR.UTF-8' }
    expect((await cli.run(['deploy', '-p', 'unknown'], turkish)).errors).toContain(
      'unknown adlı bir proje yok',
    )
    await owner.call(deletePersonalToken, { params: { id: tokenId } })
    const { code, output, errors } = await cli.run(['projects', '--json'], env)
    expect(code).toBe(1)
    expect(JSON.parse(output).error.code).toBe('unauthorized')
    expect(errors).toContain('The token has expired or was revoked.')
    // Not a token: it must not leave the machine.
    const pasted = await cli.run(['projects'], { SLIPWAY_TOKEN: 'Correct-horse7' })
    expect(pasted.errors).toContain('SLIPWAY_TOKEN is not a token')
  })

  it('exits with 2 for a wrong command line', async () => {
    for (const args of [
      ['nothing'],
      ['rollback'],
      ['deploy', 'a', 'b'],
      ['projects', '--follow'],
      ['nothing', '--help'],
    ]) {
      const { code, errors, output } = await cli.run(args)
      expect([code, output], args.join(' ')).toEqual([2, ''])
      expect(errors).toMatch(/See --help\./)
    }
  })

  it('has help for each command', async () => {
    const { output } = await cli.run(['--help'])
    const names = new Set([...output.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? ''))
    expect(names.size).toBeGreaterThan(8)
    for (const name of names)
      expect((await cli.run([name, '--help'])).output).toMatch(new RegExp(`^slipway ${name}`))
  })

  it('runs in a checkout by `npm run slipway`', async () => {
    const args = ['run', '--silent', 'slipway', '--', '--version']
    const cwd = new URL('../../..', import.meta.url)
    const { stdout } = await promisify(execFile)('npm', args, { cwd })
    expect(stdout).toBe((await cli.run(['--version'])).output)
  })

  it('connects through the proxy of the environment', async () => {
    const { env } = await newSite()
    const targets: string[] = []
    const proxy = createHttpServer()
    proxy.on('connect', ({ url: target = '' }, client) => {
      targets.push(target)
      const service = connect(Number(new URL(url).port), 'localhost', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        service.pipe(client)
        client.pipe(service)
      })
      client.on('error', () => service.destroy())
    })
    const port = await listenOnLoopback(proxy)
    const { code } = await cli.run(['projects'], {
      ...env,
      SLIPWAY_URL: 'http://console.example',
      HTTP_PROXY: `http://127.0.0.1:${port}`,
    })
    proxy.close()
    expect([code, targets]).toEqual([0, ['console.example:80']])
  })

  it('is canceled by Ctrl-C while the service does not respond', async () => {
    const { env } = await newSite()
    const silent = createServer()
    const url = `http://127.0.0.1:${await listenOnLoopback(silent)}`
    const connected = once(silent, 'connection') as Promise<[Socket]>
    const { child, result, ended } = cli.start(['projects'], { ...env, SLIPWAY_URL: url })
    const [socket] = await connected
    await once(socket, 'data')
    child.kill('SIGINT')
    const [code] = await ended
    socket.destroy()
    silent.close()
    expect([code, result.errors]).toEqual([130, 'Canceled.\n'])
  })

  it('reports an address without a server, of another server, and without http', async () => {
    const { env } = await newSite()
    const nothing = await cli.run(['projects', '--url', 'http://127.0.0.1:9'], env)
    expect(nothing.errors).toContain("Couldn't reach http://127.0.0.1:9")
    const other = await cli.run(['projects'], {
      ...env,
      SLIPWAY_URL: `http://localhost:${world.env.SITES_PORT}`,
    })
    expect(other.errors).toContain('Unknown error from the server: site_not_found.')
    const wrong = await cli.run(['projects', '--url', 'example.com'], env)
    expect(wrong.errors).toContain('must start with http:// or https://')
  })
})

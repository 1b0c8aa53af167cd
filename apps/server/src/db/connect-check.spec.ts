import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { SettingError } from '../env/setting-error.ts'
import { freePort } from '../testing/free-port.ts'
import { checkDatabase } from './connect-check.ts'
import { cleanUp, later, newDataDir, query, start } from './embedded.fixture.ts'

afterEach(cleanUp)

/** The message of the failed check. Throws when it passes. */
async function failureMessage(url: string) {
  const error = await checkDatabase(url).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SettingError)
  const { message } = error as SettingError
  expect(message).toMatch(/^DATABASE_URL must [^\n]+$/)
  expect(message).not.toContain('hunter2')
  return message
}

const socketUrl = (host: string, user: string, database: string) =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

describe('checkDatabase', () => {
  it('accepts a usable database', async () => {
    const { host, ...login } = inject('postgresAdmin')
    const user = `${login.user}:${login.password}`
    await expect(checkDatabase(socketUrl(host, user, 'postgres'))).resolves.toBeUndefined()
  })

  it('reports that no server listens', async () => {
    const port = await freePort()
    expect(await failureMessage(`postgres://somebody:hunter2@127.0.0.1:${port}/db`)).toBe(
      `DATABASE_URL must lead to a PostgreSQL that can be used, but 127.0.0.1:${port}/db cannot: connect ECONNREFUSED 127.0.0.1:${port}`,
    )
  })

  it('reports an unknown host', async () => {
    const url = 'postgres://somebody:hunter2@database.invalid/db'
    expect(await failureMessage(url)).toMatch(
      /but database\.invalid:5432\/db cannot: getaddrinfo E/,
    )
  })

  it('reports a server that is no PostgreSQL', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    later(() => server.close())
    const port = await freePort()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const url = `postgres://somebody:hunter2@127.0.0.1:${port}/db`
    expect(await failureMessage(url)).toContain(`but 127.0.0.1:${port}/db cannot: `)
  })

  it('times out after ten seconds without a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    later(() => vi.useRealTimers())
    const server = createServer((socket) => later(() => socket.destroy()))
    later(() => server.close())
    const port = await freePort()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const message = failureMessage(`postgres://somebody:hunter2@127.0.0.1:${port}/db`)
    await once(server, 'connection')
    vi.advanceTimersByTime(10_000)
    expect(await message).toContain('cannot: it did not answer within 10 seconds')
  })

  it('reports an unreadable address', async () => {
    const host = 'postgres://somebody:hunter2@localhost/db'
    expect(await failureMessage(`${host}?sslrootcert=/nowhere`)).toContain('/nowhere')
    expect(await failureMessage('postgres://somebody:hun%e9hunter2@localhost/db')).toBe(
      'DATABASE_URL must be an address that can be read: URI malformed',
    )
  })

  it('reports a missing database', async () => {
    const { host, user, password } = inject('postgres')
    expect(await failureMessage(socketUrl(host, `${user}:${password}`, 'missing'))).toContain(
      'cannot: database "missing" does not exist',
    )
  })

  it('reports a wrong password and missing privileges to create and write', async () => {
    const server = await start(newDataDir())
    await query(server, `create role limited login password 'correct'`, 'admin')
    await query(server, 'revoke create on schema public from public', 'admin')
    const { host } = server.connection
    const url = (password: string) => socketUrl(host, `limited:${password}`, 'slipway')
    expect(await failureMessage(url('hunter2'))).toContain(
      'cannot: password authentication failed for user "limited"',
    )
    expect(await failureMessage(socketUrl(host, 'limited', 'slipway'))).toContain('password')
    const lacksCreate = 'cannot: its user may not create schemas and tables there'
    expect(await failureMessage(url('correct'))).toContain(lacksCreate)
    await query(server, 'grant create on schema public to limited', 'admin')
    expect(await failureMessage(url('correct'))).toContain(lacksCreate)
    await query(server, 'grant create on database slipway to limited', 'admin')
    await expect(checkDatabase(url('correct'))).resolves.toBeUndefined()
    await query(server, 'alter role limited set default_transaction_read_only = on', 'admin')
    expect(await failureMessage(url('correct'))).toContain(
      'cannot: it can only be read, as a standby',
    )
  })
})

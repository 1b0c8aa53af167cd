import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { SettingError } from '../env/setting-error.ts'
import { createCertificateAuthority } from '../testing/certificate-authority.ts'
import { createDatabase } from '../testing/database.ts'
import { freePort } from '../testing/free-port.ts'
import { checkDatabase } from './connect-check.ts'
import { cleanUp, newDataDir, onCleanUp, query, start } from './embedded.fixture.ts'

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

/** The database behind TLS with a certificate of a private authority (PostgreSQL 18, §54.2.10). */
async function startTlsDatabase(name: string) {
  const authority = await createCertificateAuthority()
  const { key, certificate: cert } = await authority.issue(name)
  const database = await createDatabase()
  onCleanUp(() => database.drop())
  const { host, user, password } = inject('postgres')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write('S')
      const client = new TLSSocket(socket, { isServer: true, key, cert })
      const upstream = connect(`${host}/.s.PGSQL.5432`)
      const end = () => [client, upstream].map((side) => side.destroy())
      for (const side of [client, upstream]) side.on('error', end).on('close', end)
      client.pipe(upstream).pipe(client)
    })
  })
  onCleanUp(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const url = `postgresql://${user}:${password}@localhost:${port}/${database.options.database}?application_name=tls`
  return { pem: authority.pem, url }
}

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
    onCleanUp(() => server.close())
    const port = await freePort()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const url = `postgres://somebody:hunter2@127.0.0.1:${port}/db`
    expect(await failureMessage(url)).toContain(`but 127.0.0.1:${port}/db cannot: `)
  })

  it('times out after ten seconds without a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onCleanUp(() => vi.useRealTimers())
    const server = createServer((socket) => onCleanUp(() => socket.destroy()))
    onCleanUp(() => server.close())
    const port = await freePort()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const message = failureMessage(`postgres://somebody:hunter2@127.0.0.1:${port}/db`)
    await once(server, 'connection')
    vi.advanceTimersByTime(10_000)
    expect(await message).toContain('cannot: it did not respond within 10 seconds')
  })

  it('reports an unreadable address', async () => {
    const host = 'postgres://somebody:hunter2@localhost/db'
    expect(await failureMessage(`${host}?sslrootcert=/nowhere`)).toContain('/nowhere')
    expect(await failureMessage('postgres://somebody:hun%e9hunter2@localhost/db')).toBe(
      'DATABASE_URL must be an address that can be read: URI malformed',
    )
  })

  it('accepts a certificate of a private authority with sslrootcert, and suggests it without', async () => {
    const { pem, url } = await startTlsDatabase('localhost')
    const authority = join(newDataDir(), 'authority.pem')
    await writeFile(authority, pem)
    const withAuthority = `${url}&sslmode=verify-full&sslrootcert=${authority}`
    await expect(checkDatabase(withAuthority)).resolves.toBeUndefined()
    expect(await failureMessage(`${url}&sslmode=verify-full`)).toMatch(
      /cannot: .*certificate.*\. Name the certificate authority: \?sslmode=verify-full&sslrootcert=/,
    )
    // Encrypted, with any certificate.
    await expect(checkDatabase(`${url}&sslmode=no-verify`)).resolves.toBeUndefined()
  })

  it('reports a certificate for another name', async () => {
    const { pem, url } = await startTlsDatabase('database.example.com')
    const authority = join(newDataDir(), 'authority.pem')
    await writeFile(authority, pem)
    const message = await failureMessage(`${url}&sslmode=verify-full&sslrootcert=${authority}`)
    expect(message).toContain("does not match certificate's altnames")
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../db/connect.ts'
import { startConnectionProxy } from '../../db/connection-proxy.fixture.ts'
import { listen, type Notifications } from '../../db/notifications.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { storeCertificate } from './certificates.fixture.ts'
import { drop } from './certificates.service.ts'
import { channel } from './certificates.store.ts'
import { createCertificateTable } from './certificates.table.ts'

let world: World
let notifications: Notifications
beforeAll(async () => {
  world = await createWorld()
  notifications = await listen(world.database.options, [channel], world.ctx.log)
})
afterAll(async () => {
  await notifications.close()
  await world.close()
})

const table = () => createCertificateTable(world.ctx, notifications)
const certificateOf = (name: string) => ({
  chain: [`${name}\n`, 'issuer\n'],
  key: `key of ${name}`,
})
const save = (host: string, overrides: Partial<Parameters<typeof storeCertificate>[1]> = {}) =>
  storeCertificate(world.ctx, { host, certificateWithKey: certificateOf(host), ...overrides })
const entryOf = (name: string) => ({
  certificate: `${name}\nissuer\n`,
  key: `key of ${name}`,
  etag: `fingerprint of ${name}\n`,
})

describe('the certificate table', () => {
  it('finds the certificate and the key of a host', async () => {
    await save('shop.example')
    const { find } = await table()
    expect(find('shop.example')).toEqual(entryOf('shop.example'))
    for (const otherName of ['example', 'www.shop.example', 'hop.example', '', '*.example'])
      expect(find(otherName), otherName).toBeUndefined()
  })

  it('finds a wildcard for hosts one level below, unless they have their own', async () => {
    await save('*.wild.example')
    await save('own.wild.example')
    const { find } = await table()
    expect(find('a.wild.example')).toEqual(entryOf('*.wild.example'))
    expect(find('own.wild.example')).toEqual(entryOf('own.wild.example'))
    for (const otherName of [
      'wild.example',
      'a.b.wild.example',
      '.wild.example.',
      'a.wild.example.',
    ])
      expect(find(otherName), otherName).toBeUndefined()
  })

  it('has no certificate that was not issued yet, or was dropped', async () => {
    await save('pending.example', { sealed: null })
    await save('dropped.example', { droppedAt: world.clock.now() })
    const { find } = await table()
    expect(find('pending.example')).toBeUndefined()
    expect(find('dropped.example')).toBeUndefined()
  })

  it('follows new and dropped certificates, and a gap in the notifications', async () => {
    const proxy = await startConnectionProxy(world.database.options)
    const broken = await listen(proxy.options, [channel], world.ctx.log)
    const { find } = await createCertificateTable(world.ctx, broken)
    await save('new.example')
    await until(() => find('new.example') !== undefined)
    await world.ctx.write((tx) => drop(world.ctx, tx, 'new.example'))
    await until(() => find('new.example') === undefined)
    proxy.refuse()
    proxy.break()
    await until(() => !broken.connected)
    await save('missed.example')
    proxy.release()
    await until(() => find('missed.example') !== undefined)
    expect(find('missed.example')).toEqual(entryOf('missed.example'))
    await broken.close()
    await proxy.close()
  })

  it('retries a failed read until the database responds again', async () => {
    const proxy = await startConnectionProxy(world.database.options)
    const { db, close } = connect(proxy.options, { connections: 1, onError: () => undefined })
    const { find } = await createCertificateTable({ ...world.ctx, db }, notifications)
    proxy.refuse()
    proxy.break()
    await save('later.example')
    await until(() => world.logged.join('').includes('the certificates could not be read again'))
    proxy.release()
    await until(() => find('later.example') !== undefined)
    expect(find('later.example')).toEqual(entryOf('later.example'))
    await close()
    await proxy.close()
  })

  it('leaves out a certificate that cannot be opened, and logs its host without its content', async () => {
    await save('sealed-elsewhere.example', { sealed: 'v1:000000000000:SECRET' })
    await save('beside.example')
    const { find } = await table()
    expect(find('sealed-elsewhere.example')).toBeUndefined()
    expect(find('beside.example')).toEqual(entryOf('beside.example'))
    const line = world.logged.find((each) => each.includes('"host":"sealed-elsewhere.example"'))
    expect(line).toContain('a certificate cannot be opened')
    expect(line).not.toContain('SECRET')
  })

  it('reads more certificates than one query returns', async () => {
    // One after the other: waiting for a connection of the pool has a timeout.
    for (let index = 0; index <= 500; index++) await save(`n${index}.many.example`)
    const { find } = await table()
    for (const index of [0, 250, 499, 500])
      expect(find(`n${index}.many.example`)).toEqual(entryOf(`n${index}.many.example`))
  })
})

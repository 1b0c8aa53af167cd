import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConnectionProxy } from '../../db/connection-proxy.fixture.ts'
import { listen, type Notifications } from '../../db/notifications.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { channel } from './instances.store.ts'
import { createInstanceTables } from './instances.table.ts'

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

const leaseMs = 60_000
const cluster = 'default'
const tables = () => createInstanceTables(world.ctx, notifications)
const table = async () => (await tables()).of(cluster)
const address = { host: '10.0.0.7', port: 8080 }

describe('the instance table', () => {
  it('has the address of an instance in every process', async () => {
    const [engine, gateway] = [await table(), await table()]
    expect(await engine.open('shared', { wake: false, leaseMs })).toBe('waking')
    await engine.publish('shared', address)
    await until(() => gateway.find('shared')?.address ?? false)
    expect(gateway.find('shared')).toEqual({ state: 'awake', address })
    await engine.publish('shared', null)
    await until(() => gateway.find('shared')?.address === null)
    expect(gateway.find('shared')?.state).toBe('awake')
    await engine.remove('shared')
    await until(() => gateway.find('shared') === undefined)
  })

  it('reads the instances that were stored before its start', async () => {
    const engine = await table()
    await engine.open('earlier', { wake: false, leaseMs })
    await engine.publish('earlier', address)
    expect((await table()).find('earlier')).toEqual({ state: 'awake', address })
  })

  it('puts an instance to sleep once its lease has ended', async () => {
    const { open, publish, sleepIdle, renew, find } = await table()
    await open('idle', { wake: false, leaseMs })
    await publish('idle', address)
    world.clock.forward(leaseMs - 1)
    expect(await sleepIdle(10)).not.toContain('idle')
    expect(await renew('idle', leaseMs)).toBe('awake')
    world.clock.forward(leaseMs - 1)
    expect(await sleepIdle(10)).not.toContain('idle')
    world.clock.forward(1)
    expect(await sleepIdle(10)).toContain('idle')
    await until(() => find('idle')?.state === 'asleep')
    expect(find('idle')?.address).toBeNull()
  })

  it('ends longer leases of a cluster earlier, and no others', async () => {
    const all = await tables()
    for (const [name, key] of [
      [cluster, 'long'],
      ['other', 'long-elsewhere'],
    ] as const) {
      await all.of(name).open(key, { wake: false, leaseMs: 10 * leaseMs })
      await all.of(name).publish(key, address)
    }
    await all.of(cluster).limitLeases(leaseMs)
    world.clock.forward(leaseMs)
    expect(await all.of(cluster).sleepIdle(10)).toContain('long')
    expect(await all.of('other').sleepIdle(10)).toEqual([])
    await all.of(cluster).limitLeases(100 * leaseMs)
    world.clock.forward(leaseMs)
    expect(await all.of('other').sleepIdle(10)).toEqual([])
  })

  it('leaves instances of another cluster awake', async () => {
    const all = await tables()
    const other = all.of('other')
    await other.open('elsewhere', { wake: false, leaseMs })
    await other.publish('elsewhere', address)
    await until(() => other.find('elsewhere')?.state === 'awake')
    world.clock.forward(leaseMs)
    expect(await all.of(cluster).sleepIdle(10)).not.toContain('elsewhere')
    expect(other.find('elsewhere')?.state).toBe('awake')
  })

  it('has an instance of a project in each of its clusters', async () => {
    const [engine, gateway] = [await tables(), await tables()]
    const otherAddress = { ...address, host: '10.1.0.7' }
    for (const name of [cluster, 'other'])
      await engine.of(name).open('both', { wake: false, leaseMs })
    await engine.of(cluster).publish('both', address)
    await engine.of('other').publish('both', otherAddress)
    const addresses = () => [cluster, 'other'].map((name) => gateway.of(name).find('both')?.address)
    await until(() => addresses().every(Boolean))
    expect(addresses()).toEqual([address, otherAddress])
    await engine.of(cluster).remove('both')
    await until(() => gateway.of(cluster).find('both') === undefined)
    expect(gateway.of('other').find('both')).toEqual({ state: 'awake', address: otherAddress })
  })

  it('has no address for an instance that sleeps, also when its pod is still ready', async () => {
    const { open, publish, sleepIdle, renew, find } = await table()
    await open('leaving', { wake: false, leaseMs })
    await publish('leaving', address)
    world.clock.forward(leaseMs)
    await sleepIdle(10)
    await publish('leaving', { ...address, host: '10.0.0.8' })
    await renew('leaving', leaseMs)
    await until(() => find('leaving')?.state === 'waking')
    expect(find('leaving')?.address).toBeNull()
  })

  it('wakes an instance at a renewal, in every process', async () => {
    const [engine, gateway] = [await table(), await table()]
    await engine.open('sleeper', { wake: false, leaseMs })
    await engine.publish('sleeper', address)
    world.clock.forward(leaseMs)
    await engine.sleepIdle(10)
    expect(await gateway.renew('sleeper', leaseMs)).toBe('waking')
    await until(() => engine.find('sleeper')?.state === 'waking')
    await engine.publish('sleeper', address)
    await until(() => gateway.find('sleeper')?.state === 'awake')
  })

  it('leaves an instance asleep unless it is woken', async () => {
    const { open, publish, sleepIdle } = await table()
    await open('renamed', { wake: false, leaseMs })
    await publish('renamed', address)
    world.clock.forward(leaseMs)
    await sleepIdle(10)
    expect(await open('renamed', { wake: false, leaseMs })).toBe('asleep')
    expect(await open('renamed', { wake: true, leaseMs })).toBe('waking')
  })

  it('knows no instance that does not run', async () => {
    const { renew, publish, find, remove } = await table()
    expect(await renew('stopped', leaseMs)).toBeUndefined()
    await publish('stopped', address)
    await remove('stopped')
    expect(find('stopped')).toBeUndefined()
  })

  it('reads all after a gap in the notifications', async () => {
    const proxy = await startConnectionProxy(world.database.options)
    const throughProxy = await listen(proxy.options, [channel], world.ctx.log)
    const gateway = (await createInstanceTables(world.ctx, throughProxy)).of(cluster)
    const engine = await table()
    proxy.refuse()
    proxy.break()
    await until(() => !throughProxy.connected)
    await engine.open('missed', { wake: false, leaseMs })
    proxy.release()
    await until(() => gateway.find('missed'))
    expect(gateway.find('missed')).toEqual({ state: 'waking', address: null })
    await throughProxy.close()
    await proxy.close()
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import { type Connection, createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { kinds } from './api/resources.ts'
import type { InstanceTable } from './instance-table.ts'
import { createKubernetesEngine } from './kubernetes-engine.ts'
import { names, namespaceOf } from './objects/names.ts'
import { startsOnSlowNodes } from './pod-starts.ts'

const longTest = 120_000
const sleepAfterMs = 3_600_000

let standIn: StandInCluster
let world: ClusterWorld
/** While set, the engine learns of no new pod; the end of an earlier one it learns at once. */
let hidden: Promise<void> | undefined
let wakes = 0

beforeAll(async () => {
  standIn = await startStandInCluster({ version: 'v1.26.0' })
  const access = { file: standIn.kubeconfig, context: undefined }
  const connection = createConnection(() => readKubeconfig(access))
  const counting: Connection = {
    ...connection,
    async call(method, path, options) {
      const { spec } = (options?.body ?? {}) as { spec?: { replicas?: number; template?: object } }
      if (method === 'PATCH' && spec?.replicas === 1 && !spec.template) wakes += 1
      return connection.call(method, path, options)
    },
    async *lines(path, options) {
      for await (const line of connection.lines(path, options)) {
        const { type } = line as { type: string }
        if (path === kinds.Pod.path && type === 'ADDED') await hidden
        yield line
      }
    },
  }
  world = await createClusterWorld({
    connection: counting,
    kubeconfig: standIn.kubeconfig,
    installation: 'wake-limit',
    sleepAfterMs,
    times: { sleepCheckMs: 100 },
  })
}, longTest)
afterAll(async () => {
  await world?.close()
  await standIn?.stop()
}, longTest)

it(
  'of many sites that wake at once, a few start at a time',
  async () => {
    const keys = Array.from({ length: startsOnSlowNodes + 2 }, (_, index) => `site-${index}`)
    for (const key of keys) await world.engine.apply(instance(key), { mayCreate: true })
    const areAll = (state: string) => keys.every((key) => world.table.find(key)?.state === state)
    await until(() => areAll('awake'))
    world.clock.forward(sleepAfterMs)
    await until(() => areAll('asleep'))
    const { promise, resolve: show } = Promise.withResolvers<void>()
    hidden = promise
    await Promise.all(keys.map((key) => world.table.renew(key, sleepAfterMs)))
    await until(() => areAll('waking') && wakes >= startsOnSlowNodes)
    // Without the limit, the other wakes would have been sent before this call ends.
    await world.cluster.list(kinds.Deployment, '')
    expect(wakes).toBe(startsOnSlowNodes)
    show()
    await until(() => areAll('awake'))
    expect(wakes).toBe(keys.length)
  },
  longTest,
)

it(
  'changed settings of pods leave a site asleep, changed variables wake it',
  async () => {
    const desired = instance('resized')
    const { key } = desired
    const isIn = (state: string) => world.table.find(key)?.state === state
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => isIn('awake'))
    world.clock.forward(sleepAfterMs)
    await until(() => isIn('asleep'))
    const { settings } = world.engineOptions
    const pods = { ...settings.pods, size: { ...settings.pods.size, memoryMiB: 128 } }
    const other = await world.startOther({}, { ...settings, pods })
    await other.apply(desired, { mayCreate: false })
    expect(isIn('asleep')).toBe(true)
    const site = await world.cluster.read(
      kinds.Deployment,
      names.site,
      namespaceOf(world.installation, key),
    )
    expect(site).toMatchObject({ spec: { replicas: 0 } })
    expect(JSON.stringify(site)).toContain('128Mi')
    await other.apply({ ...desired, environment: { COLOR: 'blue' } }, { mayCreate: false })
    await until(() => isIn('awake'))
    await other.close()
  },
  longTest,
)

it('a gateway waits for the address of a site that another one has just woken', async () => {
  const { key } = instance('woken')
  await world.engine.apply(instance(key), { mayCreate: true })
  await until(() => world.table.find(key)?.state === 'awake')
  let isLate = true
  let listener: Parameters<InstanceTable['onChange']>[0] = () => undefined
  const late: InstanceTable = {
    ...world.table,
    find: (name) => (isLate ? { state: 'asleep', address: null } : world.table.find(name)),
    onChange(added) {
      listener = added
    },
    async renew(name, leaseMs) {
      const state = await world.table.renew(name, leaseMs)
      setImmediate(() => {
        isLate = false
        listener(name)
      })
      return state
    },
  }
  const gateway = createKubernetesEngine({ ...world.engineOptions, tables: { of: () => late } })
  expect(await gateway.wake(key)).toBe('awake')
})

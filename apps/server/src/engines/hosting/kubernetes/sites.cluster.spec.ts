import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
  lack,
} from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import { UnhealthyError } from '../engine.ts'
import { kinds, objectOf } from './api/resources.ts'
import { labels, names, namespaceOf } from './objects/names.ts'

const longTest = 180_000

describe.skipIf(lack)('sites on Kubernetes', () => {
  let world: ClusterWorld
  beforeAll(async () => {
    world = await createClusterWorld()
  })
  afterAll(() => world?.close(), longTest)

  const namespace = (key: string) => namespaceOf(world.installation, key)
  const deployment = (key: string) =>
    world.cluster.read(kinds.Deployment, names.site, namespace(key))
  const isRunning = async (key: string) => (await world.engine.list([key]))[0]?.running

  it(
    'respond through the gateway with their environment, as their own user',
    async () => {
      await world.applyUntilHealthy(
        instance('plain', { environment: { GREETING: 'hi', PORT: '1' } }),
      )
      expect(await world.visit('plain')).toMatchObject({ status: 200, body: 'hi 0' })
      const environment = JSON.parse((await world.visit('plain', '/environment')).body)
      expect(environment).toMatchObject({ uid: 1000, PORT: '8080', GREETING: 'hi' })
      // No address of a service, and no token of an account.
      const ofServices = Object.keys(environment).filter((name) => /_SERVICE_/.test(name))
      expect(ofServices.sort()).toEqual([
        'KUBERNETES_SERVICE_HOST',
        'KUBERNETES_SERVICE_PORT',
        'KUBERNETES_SERVICE_PORT_HTTPS',
      ])
      expect(await isRunning('plain')).toBe(true)
    },
    longTest,
  )

  it(
    'are not written again when nothing changes',
    async () => {
      const desired = instance('same')
      await world.applyUntilHealthy(desired)
      const before = await deployment('same')
      const namespaceBefore = await world.cluster.read(kinds.Namespace, namespace('same'))
      await world.engine.apply(desired, { mayCreate: false })
      const version = async () => (await deployment('same'))?.metadata.generation
      expect(await version()).toBe(before?.metadata.generation)
      const namespaceAfter = await world.cluster.read(kinds.Namespace, namespace('same'))
      expect(namespaceAfter?.metadata.resourceVersion).toBe(
        namespaceBefore?.metadata.resourceVersion,
      )
    },
    longTest,
  )

  it(
    'take a change without a failed request',
    async () => {
      const desired = instance('changing', { environment: { GREETING: 'one' } })
      await world.applyUntilHealthy(desired)
      const statuses = new Set<number>()
      let isDone = false
      const visits = (async () => {
        while (!isDone) statuses.add((await world.visit('changing')).status)
      })()
      await world.engine.apply(
        { ...desired, environment: { GREETING: 'two' } },
        { mayCreate: false },
      )
      await until(async () => (await world.visit('changing')).body === 'two 0')
      // Visits continue until the previous pod has ended.
      await until(async () => {
        const items = await world.cluster.list(kinds.Pod, `${labels.key}=changing`)
        return items.length === 1
      })
      isDone = true
      await visits
      expect([...statuses]).toEqual([200])
    },
    longTest,
  )

  it(
    'keep the previous pod when a change does not start, and say why',
    async () => {
      const desired = instance('crashing', { environment: { GREETING: 'old' } })
      await world.applyUntilHealthy(desired)
      const broken = { ...desired, environment: { FAIL: 'exit' } }
      const error = await world.engine.apply(broken, { mayCreate: false }).then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(UnhealthyError)
      expect((error as UnhealthyError).problem).toMatchObject({
        failure: 'program_exited',
        detail: '3',
        output: 'the last line before the end\n',
      })
      await until(async () => {
        const lines = await world.ctx.logs.page('crashing', 'site', { limit: 10 })
        return lines.some(({ text }) => text === 'the last line before the end')
      })
      expect((await world.visit('crashing')).body).toBe('old 0')
      expect(world.engine.problemOf('crashing')).toBe('program_crashes')

      await world.engine.apply(desired, { mayCreate: false })
      await until(() => world.engine.problemOf('crashing') === null)
      expect((await world.visit('crashing')).body).toBe('old 0')
    },
    longTest,
  )

  it(
    'try a release beside the running one, and restore that one when it does not start',
    async () => {
      const desired = instance('released', { environment: { GREETING: 'first' } })
      await world.applyUntilHealthy(desired)
      const next = { ...desired, image: image({ healthPath: '/next' }), artifact: 'b'.repeat(64) }
      expect(await world.engine.stage(next)).toBeNull()
      expect(await isRunning('released')).toBe(true)
      await world.engine.apply(next, { mayCreate: false })
      expect(await isRunning('released')).toBe(true)

      const wrong = {
        ...next,
        image: image({ reference: `localhost/missing@sha256:${'0'.repeat(64)}` }),
        artifact: 'c'.repeat(64),
      }
      expect(await world.engine.stage(wrong)).toMatchObject({ failure: 'image_not_pulled' })
      expect((await world.visit('released')).body).toBe('first 0')
      await until(() => isRunning('released'))
    },
    longTest,
  )

  it(
    'stop and start again with their data',
    async () => {
      const desired = instance('stored', {
        image: image({ dataPath: '/data' }),
        environment: { DATA: '/data' },
      })
      await world.applyUntilHealthy(desired)
      expect((await world.visit('stored')).body).toBe('hello 1')
      await world.engine.apply({ ...desired, power: 'stopped' }, { mayCreate: false })
      await until(() => world.engine.addressOf('stored') === null)
      expect((await deployment('stored'))?.spec).toMatchObject({ replicas: 0 })
      await world.applyUntilHealthy(desired)
      // The gateway may send requests to the previous pod, which ends later, for 100 ms.
      await until(async () => (await world.visit('stored')).body === 'hello 2')
    },
    longTest,
  )

  it(
    'are restored when their objects are changed or deleted',
    async () => {
      const desired = instance('drifting')
      await world.applyUntilHealthy(desired)
      await until(() => isRunning('drifting'))
      const policy = objectOf(kinds.NetworkPolicy, {
        name: names.policy,
        namespace: namespace('drifting'),
      })
      await world.cluster.remove(policy)
      await until(async () => (await isRunning('drifting')) === false)
      await world.engine.apply(desired, { mayCreate: false })
      expect(
        await world.cluster.read(kinds.NetworkPolicy, names.policy, namespace('drifting')),
      ).not.toBeNull()
      await until(() => isRunning('drifting'))

      const stored = await deployment('drifting')
      if (!stored) throw new Error('the Deployment is gone')
      await world.cluster.merge(stored, { spec: { revisionHistoryLimit: 7 } })
      await until(async () => (await isRunning('drifting')) === false)
      await world.engine.apply(desired, { mayCreate: false })
      expect((await deployment('drifting'))?.spec).toMatchObject({ revisionHistoryLimit: 1 })
      await until(() => isRunning('drifting'))
    },
    longTest,
  )

  it(
    'leave nothing when they are deleted',
    async () => {
      await world.applyUntilHealthy(instance('deleted', { image: image({ dataPath: '/data' }) }))
      await world.engine.remove('deleted')
      expect(await world.cluster.read(kinds.Namespace, namespace('deleted'))).toBeNull()
      expect(world.table.find('deleted')).toBeUndefined()
      expect(await world.engine.list(['deleted'])).toEqual([
        { key: 'deleted', applied: null, running: false, asleep: false },
      ])
      await world.engine.remove('deleted')
    },
    longTest,
  )

  it('never touch a namespace that is not theirs', async () => {
    const foreign = objectOf(kinds.Namespace, { name: namespace('foreign') })
    await world.cluster.apply(foreign)
    await expect(world.engine.remove('foreign')).rejects.toThrow('is not of this installation')
    await expect(world.engine.apply(instance('foreign'), { mayCreate: true })).rejects.toThrow(
      'is not of this installation',
    )
    const stored = await world.cluster.read(kinds.Namespace, foreign.metadata.name)
    expect(stored?.metadata.deletionTimestamp).toBeUndefined()
    await world.cluster.remove(foreign)
  })
})

describe.skipIf(lack)('sites on Kubernetes without visits', () => {
  let world: ClusterWorld
  beforeAll(async () => {
    world = await createClusterWorld({
      sleepAfterMs: 60_000,
      times: { sleepCheckMs: 100, removalMs: 150_000 },
    })
  })
  afterAll(() => world?.close(), longTest)

  it(
    'sleep without a pod until the next request',
    async () => {
      const desired = instance('sleepy')
      await world.applyUntilHealthy(desired)
      world.clock.forward(60_000)
      await until(() => world.table.find('sleepy')?.state === 'asleep')
      await until(async () => {
        const stored = await world.cluster.read(
          kinds.Deployment,
          names.site,
          namespaceOf(world.installation, 'sleepy'),
        )
        return (stored?.spec as { replicas: number } | undefined)?.replicas === 0
      })
      expect((await world.engine.list(['sleepy']))[0]).toMatchObject({ asleep: true })
      // One visit, without a retry: it waits for the pod.
      expect(await world.visit('sleepy')).toMatchObject({ status: 200 })
    },
    longTest,
  )
})

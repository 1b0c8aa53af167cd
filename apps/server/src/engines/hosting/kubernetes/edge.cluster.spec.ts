import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClusterWorld,
  createClusterWorld,
  instance,
  lack,
  objectSettings,
  testCluster,
} from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import { createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { kinds, type ResourceKind } from './api/resources.ts'
import { createKubernetesEngine } from './kubernetes-engine.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 180_000

describe.skipIf(lack)('an edge of the operator', () => {
  const { installation } = testCluster('e')
  const edge = { kind: 'ingress', className: 'outer' } as const
  let world: ClusterWorld
  beforeAll(async () => {
    world = await createClusterWorld({
      installation,
      settings: { ...objectSettings(installation), edge },
      sleepAfterMs: 1_000,
      times: { sleepCheckMs: 100 },
    })
  })
  afterAll(() => world?.close(), longTest)

  const find = (kind: ResourceKind, key: string) =>
    world.cluster.read(kind, names.site, namespaceOf(installation, key))
  const hostsOf = async (key: string) => {
    const ingress = await find(kinds.Ingress, key)
    const spec = ingress?.spec as { rules: { host: string }[] } | undefined
    return spec?.rules.map(({ host }) => host) ?? null
  }
  const isRunning = async (key: string) => (await world.engine.list([key]))[0]?.running

  it(
    'reaches a site by its Service, at the hosts of its Ingress',
    async () => {
      const desired = instance('edged')
      await world.applyUntilHealthy(desired)
      expect((await find(kinds.Ingress, 'edged'))?.spec).toMatchObject({
        ingressClassName: 'outer',
      })
      expect(await hostsOf('edged')).toEqual(['edged.localhost'])
      const service = (await find(kinds.Service, 'edged'))?.spec as { clusterIP: string }
      const visit = () => fetch(`http://${service.clusterIP}/`).catch(() => null)
      await until(async () => (await visit())?.status === 200)
      await until(() => isRunning('edged'))

      const hosts = ['edged.localhost', 'shop.example']
      await world.engine.apply({ ...desired, hosts }, { mayCreate: false })
      expect(await hostsOf('edged')).toEqual(hosts)

      await world.engine.apply({ ...desired, power: 'stopped' }, { mayCreate: false })
      expect(await find(kinds.Ingress, 'edged')).toBeNull()
      expect(await find(kinds.Service, 'edged')).toBeNull()
      await until(() => isRunning('edged'))

      await world.engine.apply(desired, { mayCreate: false })
      expect(await hostsOf('edged')).toEqual(['edged.localhost'])
    },
    longTest,
  )

  it(
    'gets back an Ingress that was deleted',
    async () => {
      const desired = instance('drifting')
      await world.applyUntilHealthy(desired)
      const ingress = await find(kinds.Ingress, 'drifting')
      if (!ingress) throw new Error('the site has no Ingress')
      await world.cluster.remove(ingress)
      await until(async () => (await isRunning('drifting')) === false)
      await world.engine.apply(desired, { mayCreate: false })
      expect(await hostsOf('drifting')).toEqual(['drifting.localhost'])
    },
    longTest,
  )

  it(
    'is removed from the sites after a change of the setting',
    async () => {
      const desired = instance('switched')
      await world.applyUntilHealthy(desired)
      const access = { file: testCluster('e').kubeconfig, context: undefined }
      const without = createKubernetesEngine({
        ...world.engineOptions,
        connection: createConnection(() => readKubeconfig(access)),
        settings: objectSettings(installation),
      })
      try {
        await without.start()
        expect(await without.list(['switched'])).toMatchObject([{ running: false }])
        await without.apply(desired, { mayCreate: false })
        expect(await find(kinds.Ingress, 'switched')).toBeNull()
        expect(await find(kinds.Service, 'switched')).toBeNull()
        await until(async () => (await without.list(['switched']))[0]?.running)
      } finally {
        await without.close()
      }
      await until(async () => (await isRunning('switched')) === false)
    },
    longTest,
  )

  it('makes the runtimes unavailable that do not speak HTTP, such as static files', async () => {
    const capabilities = await world.engine.capabilities()
    const behind = capabilities
      .filter(({ reason }) => reason === 'not_behind_edge')
      .map(({ id }) => id)
    expect(behind).toContain('static')
    expect(behind).not.toContain('image')
  })
})

import { createProject, viewProject } from '@slipway/contract/projects'
import { deployImage, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import { createBareCluster, lack, testCluster } from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { kinds } from './api/resources.ts'
import { labels, ownLabels, selectorOf } from './objects/names.ts'

const longTest = 240_000
const creations = 20

describe.skipIf(lack)('an API server that does not respond for a while', () => {
  const { kubeconfig, installation, reference } = testCluster('o')
  const { cluster } = createBareCluster('o')
  let proxy: ClusterProxy
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    proxy = await startClusterProxy(kubeconfig)
    world = await createWorld({
      ENGINE: 'kubernetes',
      KUBECONFIG: proxy.file,
      KUBERNETES_INSTALLATION: installation,
      KUBERNETES_NETWORK_POLICY: 'trusted',
      SLEEP_AFTER: 0,
    })
    await world.host()
    await world.work()
    owner = await world.user()
  })
  afterAll(async () => {
    proxy?.release()
    const keys = (await world?.ctx.engine.list())?.map(({ key }) => key) ?? []
    await Promise.all(keys.map((key) => world.ctx.engine.remove(key)))
    await world?.close()
    await proxy?.close()
    await cluster.close()
  }, longTest)

  /** The keys of all namespaces of this installation, by another connection than the engine's. */
  const namespaces = async () => {
    const { items } = await cluster.list(kinds.Namespace, selectorOf(ownLabels(installation)))
    return items.map(({ metadata }) => metadata.labels?.[labels.key] ?? '').sort()
  }
  const create = (number: number) =>
    owner.call(createProject, {
      body: {
        name: `Site ${number}`,
        teamId: owner.teamId,
        regionId: 'eu',
        domain: null,
        runtime: 'image',
      },
    })

  it(
    'loses no creation, and makes none twice',
    async () => {
      const created: { id: Awaited<ReturnType<typeof create>>['id']; key: string }[] = []
      for (let number = 1; number <= creations; number++) {
        if (number === creations / 4) {
          proxy.refuse()
          proxy.break()
        }
        created.push(await create(number))
      }
      // The engine has tried again and again.
      for (let attempt = 1; attempt <= creations; attempt++) await proxy.connected()
      expect((await namespaces()).length).toBeLessThan(creations)

      proxy.release()
      const keys = created.map(({ key }) => key).sort()
      await until(async () => {
        await sweep(world.ctx)
        const states = await Promise.all(
          keys.map(async (key) => (await owner.call(viewProject, { params: { key } })).state),
        )
        return states.every((state) => state === 'ready')
      })
      expect(await namespaces()).toEqual(keys)

      const [first] = created
      if (!first) throw new Error('no project was created')
      const params = { id: first.id }
      const body = { reference, port: 8080, healthPath: '/' }
      await owner.call(deployImage, { params, body })
      const release = { params: { ...params, number: '1' } }
      await until(async () => (await owner.call(viewRelease, release)).state === 'live')
      const page = () => sitePage(world.env.SITES_PORT, `${first.key}.localhost`)
      await until(async () => (await page()).status === 200)
    },
    longTest,
  )
})

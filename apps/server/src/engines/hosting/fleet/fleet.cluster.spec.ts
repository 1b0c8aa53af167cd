import { createProject, viewProject } from '@slipway/contract/projects'
import { deployImage } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as store from '../../../modules/projects/projects.store.ts'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import { createBareCluster, lack, testCluster } from '../../../testing/cluster-world.ts'
import { writeKubeconfigOf } from '../../../testing/kubeconfig-of-clusters.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { kinds, objectOf } from '../kubernetes/api/resources.ts'
import { ownLabels, selectorOf } from '../kubernetes/objects/names.ts'

const longTest = 240_000
const projectsPerRegion = 5

describe.skipIf(lack)('an installation with an unreachable cluster', () => {
  const { kubeconfig, installation, reference } = testCluster('w')
  const { cluster } = createBareCluster('w')
  let proxy: ClusterProxy
  let world: World
  beforeAll(async () => {
    proxy = await startClusterProxy(kubeconfig)
    // Reads the proxy's kubeconfig before it replaces it with that of both clusters.
    await writeKubeconfigOf({ near: kubeconfig, far: proxy.file }, proxy.file)
    proxy.refuse()
    const clusters = ['near', 'far'].map((name) => ({ name, regionId: name, capacity: null }))
    world = await createWorld({
      ENGINE: ['kubernetes'],
      KUBECONFIG: proxy.file,
      KUBERNETES_CLUSTERS: clusters.map((each) => ({ ...each, context: each.name })),
      REGIONS: ['near', 'far'].map((id) => ({ id, names: { en: id, tr: id } })),
      KUBERNETES_INSTALLATION: installation,
      KUBERNETES_NETWORK_POLICY: 'trusted',
      SLEEP_AFTER: 0,
    })
    await world.host()
    await world.startWorkers()
  }, longTest)
  afterAll(async () => {
    proxy?.release()
    await world?.close()
    await proxy?.close()
    const items = await cluster.list(kinds.Namespace, selectorOf(ownLabels(installation)))
    for (const { metadata } of items) await cluster.remove(objectOf(kinds.Namespace, metadata))
    await cluster.close()
  }, longTest)

  /** A new project of a new user. */
  async function create(regionId: string) {
    const { call, teamId } = await world.user()
    const body = { name: 'Site', teamId, regionId, domain: null, runtime: 'image' } as const
    const { id, key } = await call(createProject, { body })
    return { id, key, call, view: () => call(viewProject, { params: { key } }) }
  }
  type Created = Awaited<ReturnType<typeof create>>

  /**
   * Runs the sweep, as a timer does in production, until all projects have this state (any by
   * default) and failure (none by default).
   */
  const untilAll = (
    projects: readonly Created[],
    expected: Partial<Awaited<ReturnType<Created['view']>>>,
  ) =>
    until(async () => {
      await sweep(world.ctx)
      const views = await Promise.all(projects.map(({ view }) => view()))
      return views.every(
        ({ state, failure }) =>
          state === (expected.state ?? state) && failure === (expected.failure ?? null),
      )
    })

  async function deploy({ id, key, call }: Created) {
    const body = { reference, port: 8080, healthPath: '/' }
    await call(deployImage, { params: { id }, body })
    await until(
      async () => (await sitePage(world.env.SITES_PORT, `${key}.localhost`)).status === 200,
    )
  }

  const untilApplied = ({ id }: Created) =>
    until(async () => {
      const project = await store.findForReconciler(world.ctx.db, id)
      return project !== undefined && project.appliedGeneration === project.generation
    })

  it(
    'starts the projects of other clusters at once, and those of this one once it responds',
    async () => {
      const far: Created[] = []
      const near: Created[] = []
      for (let number = 1; number <= projectsPerRegion; number++) {
        far.push(await create('far'))
        near.push(await create('near'))
      }
      await untilAll(near, { state: 'ready' })
      await untilAll(far, { failure: 'cluster_unreachable' })
      const [firstNear, firstFar] = [near[0], far[0]]
      if (!firstNear || !firstFar) throw new Error('no project was created')
      await deploy(firstNear)
      expect(world.ctx.engine.unreachableClusters()).toEqual(['far'])

      proxy.release()
      await untilAll(far, { state: 'ready' })
      expect(world.ctx.engine.unreachableClusters()).toEqual([])
      await deploy(firstFar)
      await untilApplied(firstFar)

      // The gateway knows the address of the pod, also while the API server of the cluster is down.
      proxy.refuse()
      proxy.break()
      await until(() => world.ctx.engine.unreachableClusters().includes('far'))
      await sweep(world.ctx)
      await untilAll(far, { state: 'ready' })
      const page = await sitePage(world.env.SITES_PORT, `${firstFar.key}.localhost`)
      expect(page.status).toBe(200)
    },
    longTest,
  )
})

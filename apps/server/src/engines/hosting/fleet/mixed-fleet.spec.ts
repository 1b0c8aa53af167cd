import { changeClusterState, listClusters } from '@slipway/contract/clusters'
import { resumeProject, suspendProject } from '@slipway/contract/operator'
import { createProject, renameProject, viewProject } from '@slipway/contract/projects'
import { listRuntimes } from '@slipway/contract/runtimes'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../app.ts'
import { recordReachability } from '../../../modules/clusters/clusters.service.ts'
import { instanceOf } from '../../../modules/projects/projects.instance.ts'
import { projects } from '../../../modules/projects/projects.schema.ts'
import { publishChange } from '../../../modules/projects/projects.service.ts'
import * as store from '../../../modules/projects/projects.store.ts'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { freePort } from '../../../testing/free-port.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'

const longTest = 180_000
const sleepAfter = 3

describe('an installation with this machine and a Kubernetes cluster', () => {
  let cluster: StandInCluster
  let world: World
  let operator: TestUser
  beforeAll(async () => {
    cluster = await startStandInCluster()
    world = await createWorld({
      ENGINE: ['local', 'kubernetes'],
      KUBECONFIG: cluster.kubeconfig,
      KUBERNETES_NETWORK_POLICY: 'trusted',
      KUBERNETES_NODE_IMAGE: `registry.example/node@sha256:${'0'.repeat(64)}`,
      SLEEP_AFTER: sleepAfter,
      OPERATOR_EMAILS: ['operator@example.com'],
    })
    await world.host()
    await world.startWorkers()
    operator = await world.user({ email: 'operator@example.com' })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await cluster?.stop()
  }, longTest)

  const changeState = (name: string, state: 'open' | 'full') =>
    operator.call(changeClusterState, { params: { name }, body: { state } })
  const viewAsOperator = ({ key }: Pick<store.Project, 'key'>) =>
    operator.call(viewProject, { params: { key: key as never } })
  async function storedProject({ id }: Pick<store.Project, 'id'>) {
    const project = await store.findForReconciler(world.ctx.db, id)
    if (!project) throw new Error('the project is gone')
    return project
  }
  async function create() {
    const { teamId } = operator
    const body = { name: 'Site', teamId, regionId: 'eu', domain: null, runtime: 'starter' } as const
    const created = await operator.call(createProject, { body })
    await until(async () => (await storedProject(created)).state === 'ready')
    return storedProject(created)
  }
  const visit = ({ key }: Pick<store.Project, 'key'>, { ctx }: Pick<App, 'ctx'> = world.app) =>
    sitePage(ctx.env.SITES_PORT, `${key}.localhost`)
  const isAsleep = async (project: store.Project) => {
    const [instance] = await world.ctx.engine.list([project])
    return instance?.asleep === true
  }

  let onKubernetes: store.Project
  let onMachine: store.Project

  it(
    'places a project on Kubernetes, and on this machine when Kubernetes has no capacity',
    async () => {
      onKubernetes = await create()
      await changeState('default', 'full')
      onMachine = await create()
      await changeState('default', 'open')
      expect([onKubernetes.cluster, onMachine.cluster]).toEqual(['default', 'local'])
      expect((await operator.call(listClusters)).map((each) => [each.name, each.projects])).toEqual(
        [
          ['default', 1],
          ['local', 1],
        ],
      )
      const engineOf = async (project: store.Project) =>
        (await viewAsOperator(project)).metadata.find(({ key }) => key === 'engine')?.value
      expect([await engineOf(onKubernetes), await engineOf(onMachine)]).toEqual([
        'kubernetes',
        'local',
      ])
    },
    longTest,
  )

  it('offers each runtime that this machine or the cluster can run', async () => {
    const runtimes = await operator.call(listRuntimes, { query: { regionId: 'eu' } })
    const isOffered = (id: string) => runtimes.find((each) => each.id === id)?.available
    // Only Kubernetes runs images.
    expect([isOffered('starter'), isOffered('image')]).toEqual([true, true])
  })

  it(
    'sends requests to running and sleeping sites, on this machine and on Kubernetes',
    async () => {
      expect(await visit(onKubernetes)).toEqual({ status: 200, body: 'ok' })
      expect((await visit(onMachine)).body).toContain('<html')
      await until(() => isAsleep(onMachine))
      world.clock.forward(sleepAfter * 1_000)
      await until(() => isAsleep(onKubernetes))
      expect(await visit(onKubernetes)).toEqual({ status: 200, body: 'ok' })
      expect((await visit(onMachine)).body).toContain('<html')
      expect([await isAsleep(onKubernetes), await isAsleep(onMachine)]).toEqual([false, false])
    },
    longTest,
  )

  it(
    'suspends a site on Kubernetes, and runs it again',
    async () => {
      const appliedPower = async () =>
        (await world.ctx.engine.list([onKubernetes]))[0]?.applied?.power
      const params = { key: onKubernetes.key as never }
      await operator.call(suspendProject, { params, body: { reason: 'unpaid' } })
      await until(async () => (await visit(onKubernetes)).status === 503)
      await until(async () => (await appliedPower()) === 'stopped')
      await until(() => world.ctx.engine.addressOf(onKubernetes) === null)
      await operator.call(resumeProject, { params })
      await until(async () => (await appliedPower()) === 'running')
      await until(async () => (await visit(onKubernetes)).status !== 503)
      expect(await visit(onKubernetes)).toEqual({ status: 200, body: 'ok' })
    },
    longTest,
  )

  it(
    'sends requests to the new cluster of a project on every gateway',
    async () => {
      const ports = { PORT: await freePort(), SITES_PORT: await freePort() }
      const gateway = await world.anotherApp({ ROLE: 'gateway', ...ports })
      await gateway.host()
      const apps = [world.app, gateway]
      for (const app of apps) expect((await visit(onKubernetes, app)).body).toBe('ok')

      const target = { ...onKubernetes, cluster: 'local' }
      await world.ctx.engine.apply(await instanceOf(world.ctx, target), { mayCreate: true })
      for (const app of apps) expect((await visit(onKubernetes, app)).body).toBe('ok')
      await world.ctx.write(async (tx) => {
        await tx.update(projects).set({ cluster: target.cluster }).where(eq(projects.id, target.id))
        await publishChange(tx, target.id)
      })
      for (const app of apps)
        await until(async () => (await visit(target, app)).body.includes('<html'))
      expect((await viewAsOperator(target)).metadata).toContainEqual({
        key: 'engine',
        value: 'local',
      })

      await world.ctx.engine.remove(target)
      await world.ctx.write(async (tx) => {
        await tx
          .update(projects)
          .set({ cluster: onKubernetes.cluster })
          .where(eq(projects.id, target.id))
        await publishChange(tx, target.id)
      })
      for (const app of apps) await until(async () => (await visit(target, app)).body === 'ok')
    },
    longTest,
  )

  it(
    'shows that the projects on Kubernetes wait when the settings lack Kubernetes',
    async () => {
      const machineOnly = await world.anotherApp({ ENGINE: ['local'] })
      await until(async () => {
        await sweep(machineOnly.ctx)
        return (await storedProject(onKubernetes)).failure === 'cluster_unreachable'
      })
      expect((await storedProject(onMachine)).failure).toBeNull()
      expect(world.logged.join()).toContain('lack clusters that have projects')
      expect(await machineOnly.ctx.engine.wake(onKubernetes)).toBe('not_running')

      await until(async () => {
        await sweep(world.ctx)
        return (await storedProject(onKubernetes)).failure === null
      })
    },
    longTest,
  )

  it(
    'delays no project of this machine while the cluster does not respond',
    async () => {
      await cluster.kill()
      await until(() => world.ctx.engine.unreachableClusters().includes('default'))
      const rename = ({ id }: store.Project) =>
        operator.call(renameProject, { params: { id }, body: { name: 'Renamed' } })
      await rename(onKubernetes)
      await rename(onMachine)
      await until(async () => (await visit(onMachine)).body.includes('Renamed'))
      await until(async () => (await storedProject(onKubernetes)).failure === 'cluster_unreachable')
      await world.ctx.engine.check()
      await recordReachability(world.ctx)
      expect((await create()).cluster).toBe('local')
    },
    longTest,
  )
})

describe('projects created before this machine had a name', () => {
  const clusterOf = async ({ ctx }: World, { id }: Pick<store.Project, 'id'>) =>
    (await store.findForReconciler(ctx.db, id))?.cluster

  it('get the cluster "local" at the first start, and keep it at the second', async () => {
    const world = await createWorld()
    const { teamId } = await world.user()
    const project = await world.project({ teamId, cluster: 'default' })
    for (const _ of [1, 2]) await world.anotherApp({ ENGINE: ['local', 'kubernetes'] })
    expect(await clusterOf(world, project)).toBe('local')
    await world.close()
  })

  it('keep their cluster when Kubernetes has run them', async () => {
    const world = await createWorld({ ENGINE: ['kubernetes'] })
    const { teamId } = await world.user()
    const project = await world.project({ teamId })
    await world.anotherApp({ ENGINE: ['local', 'kubernetes'] })
    await world.anotherApp({ ENGINE: ['local'] })
    expect(await clusterOf(world, project)).toBe('default')
    await world.close()
  })
})

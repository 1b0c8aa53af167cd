import { changeEnvironment } from '@slipway/contract/environment'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  type ProjectState,
  renameProject,
  viewProject,
} from '@slipway/contract/projects'
import { deployImage, rollBackRelease, viewRelease } from '@slipway/contract/releases'
import { listRuntimes } from '@slipway/contract/runtimes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCluster } from '../../../env/configured-clusters.ts'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { lack, testCluster } from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { failuresDuring } from '../../../testing/steady-requests.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'

const longTest = 240_000

describe.skipIf(lack)('a project on Kubernetes', () => {
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    const { kubeconfig, installation } = testCluster('j')
    world = await createWorld({
      ENGINE: ['kubernetes'],
      KUBECONFIG: kubeconfig,
      KUBERNETES_INSTALLATION: installation,
      KUBERNETES_NETWORK_POLICY: 'trusted',
      SLEEP_AFTER: 0,
    })
    await world.host()
    await world.startWorkers()
    owner = await world.user()
  })
  afterAll(() => world?.close(), longTest)

  it(
    'runs from its creation to its deletion',
    async () => {
      const runtimes = await owner.call(listRuntimes, { query: { regionId: 'eu' } })
      expect(runtimes.filter(({ available }) => available).map(({ id }) => id)).toEqual([
        'static',
        'image',
      ])
      const { id, key } = await owner.call(createProject, {
        body: {
          name: 'On a cluster',
          teamId: owner.teamId,
          regionId: 'eu',
          domain: null,
          runtime: 'image',
        },
      })
      const params = { id }
      const project = () => owner.call(viewProject, { params: { key } })
      const isIn = (state: ProjectState) =>
        until(async () => {
          const current = await project()
          return current.state === state && current.failure === null && current
        })
      const page = (path = '/') => sitePage(world.env.SITES_PORT, `${key}.localhost`, path)
      const release = (number: number) =>
        until(async () => {
          const viewed = await owner.call(viewRelease, { params: { id, number: String(number) } })
          return viewed.state !== 'checking' && viewed
        })
      const deploy = (reference: string, healthPath = '/') =>
        owner.call(deployImage, { params, body: { reference, port: 8080, healthPath } })
      const { reference } = testCluster('j')

      await isIn('ready')
      await deploy(reference)
      expect(await release(1)).toMatchObject({ state: 'live', runtime: 'image', bytes: 0 })
      await until(async () => (await page()).status === 200)

      await owner.call(renameProject, { params, body: { name: 'Renamed' } })
      expect((await isIn('ready')).name).toBe('Renamed')
      expect((await page()).status).toBe(200)

      const domain = 'shop.example.com'
      const ofDomain = () => sitePage(world.env.SITES_PORT, domain)
      await owner.call(changeProjectDomain, { params, body: { domain } })
      await isIn('ready')
      expect(await ofDomain()).toMatchObject({ status: 200, body: 'hello 0' })
      await owner.call(changeProjectDomain, { params, body: { domain: null } })
      await isIn('ready')
      expect((await ofDomain()).status).toBe(404)
      expect((await page()).body).toBe('hello 0')

      const set = { GREETING: 'configured' }
      await owner.call(changeEnvironment, { params, body: { set } })
      await until(async () => (await page()).body === 'configured 0')

      await deploy(reference.replace(/.{64}$/, '0'.repeat(64)))
      expect(await release(2)).toMatchObject({ state: 'failed', failure: 'image_not_pulled' })
      expect((await page()).body).toBe('configured 0')

      const visit = async () => {
        const { status, body } = await page()
        return status === 200 ? 'ok' : `${status} ${body}`
      }
      const failures = await failuresDuring(visit, async () => {
        await deploy(reference, '/health')
        expect((await release(3)).state).toBe('live')
        await owner.call(rollBackRelease, { params, body: { number: 1 } })
        expect((await release(4)).state).toBe('live')
      })
      expect(failures).toEqual([])
      expect((await page()).body).toBe('configured 0')

      await owner.call(changeEnvironment, { params, body: { set: { FAIL: 'exit' } } })
      await until(async () => (await project()).failure === 'change_unhealthy')
      expect((await page()).body).toBe('configured 0')
      await owner.call(changeEnvironment, { params, body: { set: {}, remove: ['FAIL'] } })
      await until(async () => {
        await sweep(world.ctx)
        return (await project()).failure === null
      })

      await owner.call(changeProjectPower, { params, body: { power: 'stopped' } })
      await until(() => world.ctx.engine.addressOf({ key, cluster: defaultCluster }) === null)
      await owner.call(changeProjectPower, { params, body: { power: 'running' } })
      await until(async () => (await page()).body === 'configured 0')

      // Nothing tries a release of a stopped site before its start.
      await owner.call(changeProjectPower, { params, body: { power: 'stopped' } })
      await until(() => world.ctx.engine.addressOf({ key, cluster: defaultCluster }) === null)
      await deploy(reference.replace(/.{64}$/, '0'.repeat(64)))
      expect((await release(5)).state).toBe('live')
      await owner.call(changeProjectPower, { params, body: { power: 'running' } })
      // At once, not only at the deadline of the start.
      await until(async () => (await project()).failure === 'image_not_pulled')
      expect((await project()).state).toBe('modifying')

      await owner.call(deleteProject, { params })
      await until(async () => (await project()).state === 'deleted')
      expect(await world.ctx.engine.list([{ key, cluster: defaultCluster }])).toMatchObject([
        { applied: null },
      ])
    },
    longTest,
  )
})

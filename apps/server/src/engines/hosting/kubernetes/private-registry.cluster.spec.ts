import { changeProjectPower, createProject, viewProject } from '@slipway/contract/projects'
import { deleteRegistry, listRegistries, setRegistry } from '@slipway/contract/registries'
import { deployImage, viewRelease } from '@slipway/contract/releases'
import { serviceLimits } from '@slipway/contract/service-limits'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defaultCluster } from '../../../env/configured-clusters.ts'
import * as store from '../../../modules/projects/projects.store.ts'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { privateRegistryLack } from '../../../testing/cluster-lacks.ts'
import { createServiceOnCluster } from '../../../testing/cluster-world.ts'
import {
  type PrivateRegistry,
  registryAccount,
  startPrivateRegistry,
  startPublicRegistry,
} from '../../../testing/private-registry.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { failuresDuring } from '../../../testing/steady-requests.ts'
import { until } from '../../../testing/until.ts'
import type { World } from '../../../testing/world.ts'

const longTest = 240_000

const lack = await privateRegistryLack(process.env)

describe.skipIf(lack)('an image in a private registry', () => {
  let registry: PrivateRegistry
  let world: World
  beforeAll(async () => {
    registry = await startPrivateRegistry()
    // Each start sends a request to the registry, as on a node that does not have the image.
    world = await createServiceOnCluster('p', { KUBERNETES_IMAGE_PULL: 'Always' })
  }, longTest)
  afterAll(async () => {
    for (const instance of (await world?.ctx.engine.scan(100)) ?? [])
      await world.ctx.engine.remove(instance)
    await world?.close()
    await registry?.close()
  }, longTest)

  /** A project of a new user, whose team has no credentials yet. */
  async function createShop({ host } = registry) {
    const { call, teamId } = await world.user()
    const body = { name: 'Shop', teamId, regionId: 'eu', domain: null, runtime: 'image' } as const
    const { id, key } = await call(createProject, { body })
    const instance = { key, cluster: defaultCluster, runtime: 'image', artifact: null } as const
    return {
      instance,
      call,
      ofTeam: { id: teamId },
      view: () => call(viewProject, { params: { key } }),
      page: () => sitePage(world.env.SITES_PORT, `${key}.localhost`),
      address: () => world.ctx.engine.addressOf(instance),
      setPassword: (password: string) =>
        call(setRegistry, {
          params: { id: teamId },
          body: { ...registryAccount, host, password },
        }),
      setPower: (power: 'running' | 'stopped') =>
        call(changeProjectPower, { params: { id }, body: { power } }),
      /** Deploys an image; resolves with its release. */
      async deploy(reference: string) {
        const image = { reference, port: 8080, healthPath: '/' }
        const { number } = await call(deployImage, { params: { id }, body: image })
        return until(async () => {
          const release = await call(viewRelease, { params: { id, number: String(number) } })
          return release.state !== 'checking' && release
        })
      },
      untilApplied: () =>
        until(async () => {
          const project = await store.findForReconciler(world.ctx.db, id)
          return project?.appliedGeneration === project?.generation
        }),
    }
  }

  const denied = { state: 'failed', failure: 'image_access_denied' }

  it(
    "is pulled with its team's credentials, and not without them",
    async () => {
      const reference = await registry.pushTestSite('acme/shop')
      const shop = await createShop()
      expect(await shop.deploy(reference)).toMatchObject(denied)
      await shop.setPassword('a wrong password')
      expect(await shop.deploy(reference)).toMatchObject(denied)
      const { id: registryId } = await shop.setPassword(registryAccount.password)
      expect(await shop.deploy(reference)).toMatchObject({ state: 'live', failure: null })
      await until(async () => (await shop.page()).body === 'hello 0')
      const [used] = await shop.call(listRegistries, { params: shop.ofTeam })
      expect(used).toMatchObject({ host: registry.host, lastUsedAt: expect.any(String) })

      // The node has the image now, but another team may not run it.
      expect(await (await createShop()).deploy(reference)).toMatchObject(denied)

      await shop.untilApplied()
      const address = shop.address()
      await shop.call(deleteRegistry, { params: { ...shop.ofTeam, registryId } })
      await shop.untilApplied()
      expect(shop.address()).toEqual(address)
      expect(await shop.page()).toMatchObject({ status: 200, body: 'hello 0' })

      await shop.setPower('stopped')
      await until(() => shop.address() === null)
      await shop.setPower('running')
      await until(() => world.ctx.engine.problemOf(shop.instance) === 'image_not_pulled')
      // The page says why once the start has lasted too long.
      world.clock.forward(serviceLimits.projectDeadline)
      await until(async () => {
        await sweep(world.ctx)
        return (await shop.view()).failure === 'image_not_pulled'
      })

      await shop.setPassword(registryAccount.password)
      await until(async () => {
        await sweep(world.ctx)
        return (await shop.view()).failure === null
      })
      await until(async () => (await shop.page()).body === 'hello 0')
    },
    longTest,
  )

  it(
    'is pulled by another pod after the first credentials of its team, without a failed visit',
    async () => {
      const publicRegistry = await startPublicRegistry()
      onTestFinished(publicRegistry.close)
      const shop = await createShop(publicRegistry)
      const reference = await publicRegistry.pushTestSite('acme/shop')
      expect(await shop.deploy(reference)).toMatchObject({ state: 'live', failure: null })
      await until(async () => (await shop.page()).body === 'hello 0')
      await shop.untilApplied()
      const visit = async () => {
        const { status, body } = await shop.page()
        return status === 200 ? 'ok' : `${status} ${body}`
      }
      const before = shop.address()
      const failures = await failuresDuring(visit, async () => {
        await shop.setPassword(registryAccount.password)
        await until(() => {
          const address = shop.address()
          return address !== null && JSON.stringify(address) !== JSON.stringify(before)
        })
        await shop.untilApplied()
      })
      expect(failures).toEqual([])

      // Other credentials start no pod.
      const address = shop.address()
      await shop.setPassword('another password')
      await shop.untilApplied()
      expect(shop.address()).toEqual(address)
    },
    longTest,
  )
})

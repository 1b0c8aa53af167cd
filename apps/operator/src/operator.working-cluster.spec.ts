import { clusterParts } from '@slipway/contract/clusters'
import { createProject, viewProject } from '@slipway/contract/projects'
import { createRelease } from '@slipway/contract/releases'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archive } from '../../server/src/modules/releases/releases.fixture.ts'
import { sitePage } from '../../server/src/testing/site-page.ts'
import {
  type StandInCluster,
  startStandInCluster,
} from '../../server/src/testing/stand-in-cluster.ts'
import { until } from '../../server/src/testing/until.ts'
import { type Cli, createCli, createService, type Service } from './cli.fixture.ts'

const image = `registry.example/runtime@sha256:${'0'.repeat(64)}`

const engines = { local: 'local', default: 'kubernetes' }

let cluster: StandInCluster
let service: Service
let cli: Cli
beforeAll(async () => {
  cluster = await startStandInCluster()
  service = await createService({
    ENGINE: ['local', 'kubernetes'],
    KUBECONFIG: cluster.kubeconfig,
    KUBERNETES_NETWORK_POLICY: 'enforced',
    KUBERNETES_NODE_IMAGE: image,
    KUBERNETES_PHP_IMAGE: image,
  })
  await service.world.host()
  await service.world.startWorkers()
})
afterAll(async () => {
  await service?.close()
  await cluster?.stop()
})
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
  await service.storeSession(cli)
})
afterEach(() => cli.remove())

describe('the command line of operators with a cluster that works', () => {
  it('prints that the cluster passes each check of the worker', async () => {
    const { code, output } = await cli.run(['cluster', 'check'])
    const lines = output.trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('✓ '))).toEqual([])
    expect([code, lines.length]).toEqual([0, clusterParts.length])
    expect(output).toContain('✓ API server: it responds')
  })

  it('moves a project there and back, and its site responds', async () => {
    const { call, teamId } = await service.world.user()
    const body = { name: 'Site', teamId, regionId: 'eu', domain: null, runtime: 'static' } as const
    const { id, key } = await call(createProject, { body })
    const view = () => call(viewProject, { params: { key } })
    await until(async () => (await view()).state === 'ready')
    await call(createRelease, { params: { id }, query: {}, body: archive() })
    const page = () => sitePage(service.world.env.SITES_PORT, `${key}.localhost`)
    await until(async () => (await page()).body === 'An example')

    for (const target of ['local', 'default'] as const) {
      const { code, output } = await cli.run(['move', key, '--to', target])
      const lines = output.trimEnd().split('\n')
      expect([code, lines[0], lines.at(-1)]).toEqual([
        0,
        `Checking whether ${target} can run ${key}…`,
        `${key} runs in ${target}.`,
      ])
      expect(await view()).toMatchObject({
        move: null,
        metadata: expect.arrayContaining([{ key: 'engine', value: engines[target] }]),
      })
      expect(await page()).toMatchObject({ status: 200, body: 'An example' })
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import { kinds } from './api/resources.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 120_000

describe('the credentials of a registry', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({ kubeconfig: standIn.kubeconfig, installation: 'pull' })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const registry = { host: 'registry.example', username: 'example', password: 'example' }
  const withCredentials = instance('shop', { registry })
  const withoutCredentials = instance('shop', { registry: null })
  const namespace = () => namespaceOf(world.installation, withCredentials.key)
  const pullSecret = () => world.cluster.read(kinds.Secret, names.registry, namespace())
  const template = async () => {
    const deployment = await world.cluster.read(kinds.Deployment, names.site, namespace())
    return (deployment?.spec as { template?: unknown } | undefined)?.template
  }
  const apply = async (applied: typeof withCredentials, mayCreate = false) => {
    await world.engine.apply(applied, { mayCreate })
    await until(async () => (await world.engine.list([applied.key]))[0]?.running === true)
  }

  it('are in the cluster only for a team that has stored some', async () => {
    await apply(withoutCredentials, true)
    expect(await pullSecret()).toBeNull()
    await apply(withCredentials)
    expect(await pullSecret()).toMatchObject({ type: 'kubernetes.io/dockerconfigjson' })
  })

  it('end without another pod, which could not pull the image', async () => {
    await apply(withCredentials, true)
    const before = await template()
    const secret = await pullSecret()
    await apply(withoutCredentials)
    expect(await template()).toEqual(before)
    const { data } = (await pullSecret()) as unknown as { data: Record<string, string> }
    expect(data).not.toEqual((secret as unknown as { data: unknown }).data)
    expect(Object.values(data).map((value) => Buffer.from(value, 'base64').toString())).toEqual([
      '{"auths":{}}',
    ])
  })
})

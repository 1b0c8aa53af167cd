import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { pollOptions } from '../../../testing/until.ts'
import type { Instance } from '../engine.ts'
import { kinds } from './api/resources.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 120_000

describe('the first release of a project that is still being created', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({ kubeconfig: standIn.kubeconfig, installation: 'first' })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const withoutRelease = (released: Instance): Instance => ({
    ...released,
    artifact: null,
    image: null,
  })
  const deploymentOf = async ({ key }: Instance) => {
    const namespace = namespaceOf(world.installation, key)
    return (await world.cluster.read(kinds.Deployment, names.site, namespace))?.metadata
  }

  it('keeps its pods when the creation is applied after it', async () => {
    const released = instance('after')
    expect(await world.engine.stage(released, { mayCreate: true })).toBeNull()
    const staged = await deploymentOf(released)
    await world.engine.apply(withoutRelease(released), { mayCreate: true })
    expect(await deploymentOf(released)).toEqual(staged)
    expect(await world.engine.list([released.key])).toMatchObject([{ running: true }])
    await world.engine.apply(released, { mayCreate: false })
    expect((await deploymentOf(released))?.uid).toBe(staged?.uid)
    // The table in memory follows the row by a notification.
    await expect
      .poll(() => world.engine.addressOf(released.key), pollOptions)
      .toMatchObject({ port: expect.any(Number) })
  })

  it('leaves no pods when it is rejected', async () => {
    const released = instance('unstaged')
    await world.engine.stage(released, { mayCreate: true })
    await world.engine.apply(withoutRelease(released), { mayCreate: true })
    await world.engine.unstage(released.key)
    expect(await deploymentOf(released)).toBeUndefined()
  })

  it('leaves no pods when the project is stopped before it goes live', async () => {
    const released = instance('stopped')
    await world.engine.stage(released, { mayCreate: true })
    const stopped: Instance = { ...withoutRelease(released), power: 'stopped' }
    await world.engine.apply(stopped, { mayCreate: true })
    expect(await deploymentOf(released)).toBeUndefined()
  })
})

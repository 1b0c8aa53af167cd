import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
} from '../../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../../testing/stand-in-cluster.ts'
import { type Connection, createConnection } from '../api/connection.ts'
import { readKubeconfig } from '../api/kubeconfig.ts'
import { names } from '../objects/names.ts'

const longTest = 120_000

type Copy = {
  spec: {
    template: {
      spec: { securityContext: object; containers: { image: string; command: string[] }[] }
    }
  }
}

describe('the pod that copies the files of a site', () => {
  const copies: Copy[] = []
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    const { kubeconfig: file } = standIn
    const connection = createConnection(() => readKubeconfig({ file, context: undefined }))
    const recording: Connection = {
      ...connection,
      call(method, path, options) {
        if (method === 'PATCH' && path.endsWith(`/deployments/${names.content}`))
          copies.push(options?.body as Copy)
        return connection.call(method, path, options)
      },
    }
    world = await createClusterWorld({
      kubeconfig: file,
      installation: 'content',
      connection: recording,
      images: { node: 'node', php: undefined },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  it.each([
    [4321, 4321],
    [undefined, 1000],
  ])('has the user %s of the image, to whom the files belong: %i', async (userId, expected) => {
    copies.length = 0
    const settings = image({ dataPath: '/data' })
    const moved = instance(`user-${expected}`, {
      image: userId === undefined ? null : { ...settings, userId },
      runtime: userId === undefined ? 'starter' : 'image',
      power: 'stopped',
    })
    const archive = { file: '/archive', url: 'http://127.0.0.1/archive', digest: 'd'.repeat(64) }
    const { signal } = new AbortController()
    await world.engine.importContent(moved, archive, signal)
    await world.engine.exportContent(moved, archive, signal)
    const pods = copies.map(({ spec }) => spec.template.spec)
    expect(pods.map(({ containers }) => containers[0]?.command[2])).toEqual(['receive', 'send'])
    for (const { securityContext } of pods)
      expect(securityContext).toMatchObject({ runAsUser: expected })
  })
})

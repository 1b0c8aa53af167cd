import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArtifactStore } from '../../../artifacts/artifact-store.ts'
import { zipOf } from '../../../testing/archives.ts'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
} from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { errorOfResponse } from './api/api-error.ts'
import { type Connection, createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { errorOfPodFailure } from './rejections.ts'

const longTest = 120_000
const archiveLimits = { archiveBytes: 1e8, unpackedBytes: 1e8, files: 1000 }

describe('an instance whose Deployment the API server rejects', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  let number = 0
  let response: { status: number; message: string } | null = null
  let rejectedKind = 'deployments'
  beforeAll(async () => {
    standIn = await startStandInCluster()
    const access = { file: standIn.kubeconfig, context: undefined }
    const connection = createConnection(() => readKubeconfig(access))
    const rejecting: Connection = {
      ...connection,
      async call(method, path, options) {
        const isApply = options?.contentType === 'application/apply-patch+yaml'
        if (response && isApply && path.includes(`/${rejectedKind}/`))
          throw errorOfResponse(path, response.status, response, undefined)
        return connection.call(method, path, options)
      },
    }
    world = await createClusterWorld({
      connection: rejecting,
      kubeconfig: standIn.kubeconfig,
      installation: 'rejected',
      images: { node: 'localhost/node:1', php: undefined },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  it.each([
    [403, 'deployments.apps "site" is forbidden: exceeded quota: size', 'QuotaError'],
    [422, 'Deployment.apps "site" is invalid: spec: Invalid value', 'RejectedError'],
    [403, 'deployments.apps "site" is forbidden: violates PodSecurity', 'RejectedError'],
    [403, 'deployments.apps is forbidden: User "a" cannot patch resource', 'ApiError'],
    [403, 'resourcequotas "size" is forbidden: User "a" cannot patch "resourcequotas"', 'ApiError'],
  ])('says so after status %i: %s', async (status, message, name) => {
    response = { status, message }
    number += 1
    const desired = instance(`rejected-${number}`)
    const applied = world.engine.apply(desired, { mayCreate: true })
    await expect(applied).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    })
    response = null
    await world.applyUntilHealthy(desired)
  })

  it.each([
    [403, 'deployments.apps "site" is forbidden: exceeded quota: size', 'quota_exceeded'],
    [422, 'Deployment.apps "site" is invalid: spec: Invalid value', 'configuration_rejected'],
    [403, 'deployments.apps "site" is forbidden: violates PodSecurity', 'configuration_rejected'],
  ])('fails a release after status %i: %s', async (status, message, failure) => {
    number += 1
    const live = instance(`rejected-${number}`)
    await world.applyUntilHealthy(live)
    const release = { ...live, image: image({ port: 8081 }) }
    response = { status, message }
    expect(await world.engine.stage(release)).toEqual({ failure })
    response = null
    expect(await world.engine.list([live.key])).toMatchObject([{ running: true }])
    expect(await world.visit(live.key)).toMatchObject({ status: 200 })
    // Later, when the cluster accepts it.
    expect(await world.engine.stage(release)).toBeNull()
    await world.engine.unstage(live.key)
  })

  it.each([
    ['namespaces', 'first-namespace'],
    ['resourcequotas', 'first-quota'],
    ['pods', 'first-pod'],
  ])('fails a release whose installation of packages it rejects: %s', async (kind, key) => {
    const store = createArtifactStore(world.ctx.env.DATA_DIR, archiveLimits)
    const files = {
      'package.json': '{"main":"app.js"}',
      'package-lock.json': '{"lockfileVersion":3,"packages":{"":{},"node_modules/a":{}}}',
      'app.js': '',
    }
    const { digest: artifact } = await store.receive(Readable.from([zipOf(files)]))
    await store.unpack(artifact)
    const release = instance(key, { runtime: 'node', image: null, artifact })
    expect(await world.engine.needsInstall(release)).toBe(true)
    expect(await world.engine.needsInstall({ ...release, power: 'stopped' })).toBe(false)
    rejectedKind = kind
    response = { status: 403, message: 'admission webhook "a" denied the request: no' }
    expect(await world.engine.stage(release, { mayCreate: true })).toMatchObject({
      failure: 'configuration_rejected',
    })
    response = null
    rejectedKind = 'deployments'
    await world.engine.remove(key)
  })

  it('fails a release whose pods an admission webhook rejects', async () => {
    const live = instance('rejected-pods')
    await world.applyUntilHealthy(live)
    const reference = `rejected.example/site@sha256:${'b'.repeat(64)}`
    const release = { ...live, image: image({ reference }) }
    expect(await world.engine.stage(release)).toEqual({ failure: 'configuration_rejected' })
    expect(world.logged.filter((line) => line.includes('A site gets no pods'))).toEqual([
      expect.stringContaining('denied the request'),
    ])
    await world.engine.unstage(live.key)
    expect(await world.visit(live.key)).toMatchObject({ status: 200 })
  })
})

describe('a Deployment that gets no pod', () => {
  it.each([
    ['pods "site-1" is forbidden: exceeded quota: size, used: pods=2', 'QuotaError'],
    ['pods "site-1" is forbidden: violates PodSecurity "restricted:latest"', 'RejectedError'],
    ['Pod "site-1" is invalid: spec.containers[0].image: Required value', 'RejectedError'],
    ['Internal error occurred: failed calling webhook "a"', 'CapacityError'],
    ['pods "a" is forbidden: failed quota: size: must specify limits.memory', 'QuotaError'],
    ['pods "a" is forbidden: status unknown for quota: size', 'CapacityError'],
    ['pods "a" is forbidden: error looking up service account a/default', 'CapacityError'],
    ['pods "quota-1" is forbidden: violates PodSecurity "restricted:latest"', 'RejectedError'],
  ])('is told apart by the words of the cluster: %s', (message, name) => {
    expect(errorOfPodFailure(message)).toMatchObject({ name, message })
  })
})

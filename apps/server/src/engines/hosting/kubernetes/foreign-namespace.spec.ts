import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArtifactLayout } from '../../../artifacts/artifact-layout.ts'
import { writeManifest } from '../../../artifacts/manifest.ts'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { kinds, objectOf } from './api/resources.ts'
import { namespaceOf } from './objects/names.ts'

const longTest = 120_000
const artifact = 'c'.repeat(64)

describe('a namespace of others with the name of a project', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({
      kubeconfig: standIn.kubeconfig,
      installation: 'foreign',
      images: { node: 'registry.example/node', php: undefined },
      // The stand-in runs no pods of installations.
      installLimits: { seconds: 0 },
    })
    const { files, manifest } = createArtifactLayout(world.ctx.env.DATA_DIR).artifact(artifact)
    await mkdir(files, { recursive: true })
    const stored = {
      'main.js': '',
      'package.json': '{"main":"main.js"}',
      'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
    }
    for (const [name, text] of Object.entries(stored)) await writeFile(join(files, name), text)
    const described = { size: 1, digest: 'd', encodings: {} }
    const paths = Object.keys(stored).map((name) => [name, described] as const)
    await writeFile(manifest, writeManifest(new Map(paths)))
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const node = (name: string) => instance(name, { runtime: 'node', image: null, artifact })
  const createNamespace = async (name: string) => {
    const foreign = objectOf(kinds.Namespace, {
      name: namespaceOf(world.installation, name),
      labels: { team: 'others' },
    })
    await world.cluster.apply(foreign)
    return async () =>
      (await world.cluster.read(kinds.Namespace, foreign.metadata.name))?.metadata.labels
  }

  it.each([
    ['the installation of packages', 'install'],
    ['an application', 'apply'],
  ] as const)('is left alone by %s', async (_, call) => {
    const labels = await createNamespace(call)
    const work =
      call === 'install'
        ? world.engine.stage(node(call))
        : world.engine.apply(instance(call), { mayCreate: true })
    await expect(work).rejects.toThrow('is not of this installation')
    expect(await labels()).toEqual({ team: 'others' })
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getProjectMove, startProjectMove } from '@slipway/contract/project-moves'
import type { Runtime } from '@slipway/contract/runtimes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeOf } from '../../../engines/hosting/content/content-tree.fixture.ts'
import { createClusterProject } from '../../../engines/hosting/kubernetes/fixtures/cluster-project.fixture.ts'
import { serverOf } from '../../../engines/hosting/local/runtimes/node/node-site.fixture.ts'
import type { ArchiveFiles } from '../../../testing/archives.ts'
import { createServiceOnCluster, runtimeLack } from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { createMovingSites, kills } from './moving-sites.fixture.ts'

const longTest = 1_800_000
const operatorEmail = 'operator@example.com'

describe.skipIf(runtimeLack)('a site with files, between this machine and Kubernetes', () => {
  let world: World
  let operator: TestUser
  let owner: TestUser
  let sites: ReturnType<typeof createMovingSites>
  beforeAll(async () => {
    world = await createServiceOnCluster('m', {
      ENGINE: ['local', 'kubernetes'],
      OPERATOR_EMAILS: [operatorEmail],
    })
    operator = await world.user({ email: operatorEmail })
    owner = await world.user()
    sites = createMovingSites(world, { owner, operator, clusters: ['default'] })
  }, longTest)
  afterAll(async () => {
    for (const instance of (await world?.ctx.engine.scan(100)) ?? [])
      await world.ctx.engine.remove(instance)
    await world?.close()
  }, longTest)

  it.each<[Runtime, ArchiveFiles]>([
    [
      'node',
      {
        'package.json': '{"main":"app.js"}',
        'app.js': serverOf(
          "request.url === '/write' ? fs.writeFileSync(note, 'written') : fs.readFileSync(note)",
          "const fs = require('node:fs'), note = process.env.HOME + '/note'",
        ),
      },
    ],
    [
      'php',
      {
        'index.php': `<?php $note = getenv('UPLOADS_DIR') . '/note.txt';
          if ($_SERVER['REQUEST_URI'] === '/write') {
            @mkdir(dirname($note)); file_put_contents($note, 'written');
          } else readfile($note);`,
      },
    ],
  ])(
    'moves to Kubernetes and back with its release and what it has written: %s',
    async (runtime, files) => {
      const project = await sites.onThisMachine(() => createClusterProject(world, owner, runtime))
      expect(await project.deploy(files)).toMatchObject({ state: 'live', failure: null })
      await until(async () => (await project.page('/write')).status === 200)
      expect((await project.page()).body).toBe('written')
      for (const target of ['default', 'local']) {
        await sites.begin(project.id, target)
        await sites.finish(project.id)
        expect(await sites.find(project.id)).toMatchObject({ failure: null })
        await until(async () => (await project.page()).body === 'written')
      }
      await project.remove()
    },
    longTest,
  )

  it(
    'moves to Kubernetes and back with every file, when an operator requests it',
    async () => {
      const { key, id, data, files } = await sites.createSite()
      const before = await treeOf(files)
      const content = await readFile(join(data, 'content.json'))
      for (const target of ['default', 'local']) {
        const body = { cluster: target }
        await operator.call(startProjectMove, { params: { key }, body })
        const view = () => operator.call(getProjectMove, { params: { key } })
        await until(async () => (await view()).state !== 'running')
        expect(await view()).toMatchObject({ state: 'done', failure: null, target })
        expect(await sites.clusterOf(id)).toBe(target)
        await sites.untilServed(key)
        const formerCluster = target === 'local' ? 'default' : 'local'
        expect(await sites.remains(key, formerCluster)).toEqual([])
      }
      expect(await treeOf(files)).toEqual(before)
      expect(await readFile(join(data, 'content.json'))).toEqual(content)
    },
    longTest,
  )

  it(
    'loses nothing when its worker is killed at any step',
    async () => {
      const site = await sites.createSite()
      const before = await treeOf(site.files)
      for (const kill of kills) {
        for (const target of ['default', 'local']) await sites.moveKilled(site, target, kill)
        expect(await treeOf(site.files), JSON.stringify(kill)).toEqual(before)
      }
    },
    longTest,
  )
})

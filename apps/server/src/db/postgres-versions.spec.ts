import { createProject, listProjects, renameProject, viewProject } from '@slipway/contract/projects'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  installOlderPostgres,
  olderVersions,
  startOlderPostgres,
} from '../testing/older-postgres.ts'
import { createTemplate } from '../testing/postgres.setup.ts'
import { until } from '../testing/until.ts'
import { createWorld } from '../testing/world.ts'
import { checkDatabase } from './connect-check.ts'

const installed = new Set<number>()
for (const version of olderVersions)
  await installOlderPostgres(version).then(
    () => installed.add(version),
    () =>
      process.stdout.write(
        `The test of PostgreSQL ${version} is skipped: npm cannot install its programs here.\n`,
      ),
  )

describe.each(olderVersions)('PostgreSQL %i', (version) => {
  it.skipIf(!installed.has(version))(
    'is accepted, and hosts a site from its creation to a new name',
    async () => {
      const { stop, ...postgres } = await startOlderPostgres(version)
      onTestFinished(stop)
      const { host, user, password } = postgres.superuser
      const login = `postgresql://${user}:${password}@localhost/postgres`
      await checkDatabase(`${login}?host=${encodeURIComponent(host)}`)
      await createTemplate(postgres)
      const world = await createWorld({}, undefined, postgres)
      onTestFinished(() => world.close())
      await world.host()
      await world.startWorkers()
      const owner = await world.user()
      const { key } = await owner.call(createProject, {
        body: { name: 'Harbour café', teamId: owner.teamId, regionId: 'eu', domain: null },
      })
      const site = async () =>
        (await owner.call(listProjects)).find((project) => project.key === key)
      await until(async () => (await site())?.state === 'ready')
      const { id } = await owner.call(viewProject, { params: { key } })
      await owner.call(renameProject, { params: { id }, body: { name: 'Old harbour' } })
      expect(await site()).toMatchObject({ name: 'Old harbour', state: 'ready' })
    },
  )
})

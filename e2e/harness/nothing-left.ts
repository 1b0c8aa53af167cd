import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Project } from '@slipway/contract/projects'
import { processesOf } from '../../apps/server/src/testing/processes.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { connectTo, sendJobs, tablesOf } from './database.ts'
import { groupsOf, pathsOf, unpackedArtifacts } from './deployments.ts'
import type { Server } from './server.ts'
import { expect } from './test.ts'

/** The tables in which a deleted project's records stay: its activity and usage. */
const recordTables = ['activity', 'usage_intervals']

/** Tokens of sign-ins. They expire in an hour, and a separate job deletes them. */
const expiringTables = ['access_tokens', 'authorization_codes']

/**
 * Waits until a deleted project has no files, no processes and no rows except its records, and its
 * address responds with 404. `artifacts` are those that remain, such as versions of WordPress.
 */
export async function expectNothingLeft(
  server: Server,
  project: Pick<Project, 'id' | 'key'>,
  artifacts: string[] = [],
) {
  const { files, artifacts: artifactPaths } = pathsOf(server, project)
  await until(() => !existsSync(files.folder) && !existsSync(files.socketFolder))
  await until(async () => (await groupsOf(project)).length === 0)
  expect(await processesOf(files.folder)).toEqual([])
  await until(
    async () => (await sitePage(server.sitesPort, `${project.key}.localhost`)).status === 404,
  )

  const database = connectTo(server.dataDir)
  try {
    await sendJobs(database, [
      'retention.remove-of-deleted-projects',
      'site-backups.remove',
      'traffic.remove-old',
    ])
    const remains = async () => {
      const staying = [...recordTables, ...expiringTables]
      return (await tablesOf(database, project.id)).filter((table) => !staying.includes(table))
    }
    await expect.poll(remains).toEqual([])
    await sendJobs(database, ['releases.remove-unused'])
    await expect.poll(() => unpackedArtifacts(artifactPaths.root)).toEqual(artifacts)
    // Files are still being removed: `readdir` fails if a folder disappears, and is called again.
    const pathsOfSite = () =>
      readdir(server.dataDir, { recursive: true }).then(
        (paths) => paths.filter((path) => path.includes(project.key)),
        (error: Error) => error.message,
      )
    await expect.poll(pathsOfSite).toEqual([])
  } finally {
    await database.close()
  }
}

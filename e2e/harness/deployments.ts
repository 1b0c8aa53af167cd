import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { Project } from '@slipway/contract/projects'
import { listReleases, type Release } from '@slipway/contract/releases'
import { createArtifactLayout } from '../../apps/server/src/artifacts/artifact-layout.ts'
import { createLayout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { controlGroups } from '../../apps/server/src/testing/control-groups.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import type { Server } from './server.ts'
import { expect } from './test.ts'
import type { TestUser } from './user.ts'

/** The paths on the disk of a server and one of its projects. */
export const pathsOf = ({ dataDir }: Pick<Server, 'dataDir'>, { key }: Pick<Project, 'key'>) => ({
  files: createLayout(dataDir).site(key),
  artifacts: createArtifactLayout(dataDir),
})
type Paths = ReturnType<typeof pathsOf>

/** An instant of a deployment at which the server is killed; the disk shows that it is reached. */
export type Instant = {
  title: string
  /** The state of the disk before the deployment, for the comparison. */
  before(paths: Paths): Promise<string>
  isReached(paths: Paths, before: string): Promise<boolean>
}

/** The sorted names in a folder that have this ending; none if the folder is missing. */
export const namesIn = async (folder: string, ending = '') =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending)).sort()

export const unpackedArtifacts = async (root: string) =>
  (await namesIn(root)).filter((name) => /^[0-9a-f]{64}$/.test(name))

/** The control groups of a site: one for each program that runs. */
export const groupsOf = async ({ key }: Pick<Project, 'key'>) =>
  (await controlGroups()).filter((name) => name.startsWith(`${key}.`))

/** The record of the program that serves; empty while another one takes over. */
const recordOf = ({ files }: Paths) => readFile(files.process, 'utf8').catch(() => '')

export const unpacking: Instant = {
  title: 'while the archive is unpacked',
  before: async ({ artifacts }) => String(await namesIn(artifacts.incoming, '.unpacked')),
  isReached: async ({ artifacts }, before) =>
    String(await namesIn(artifacts.incoming, '.unpacked')) !== before,
}
export const unpacked: Instant = {
  title: 'once the archive is unpacked',
  before: async ({ artifacts }) => String(await unpackedArtifacts(artifacts.root)),
  isReached: async ({ artifacts }, before) =>
    String(await unpackedArtifacts(artifacts.root)) !== before,
}
export const starting: Instant = {
  title: 'while the new program starts',
  before: async () => '',
  isReached: async ({ files }) => existsSync(files.candidate),
}
export const switching: Instant = {
  title: 'after the new program has taken over',
  before: recordOf,
  isReached: async (paths, before) =>
    (await recordOf(paths)) !== before && !existsSync(paths.files.candidate),
}

/** Deploys, and kills the server at an instant of the deployment. */
export async function killDuring(
  server: Server,
  project: Project,
  { instant, deploy }: { instant: Instant; deploy: () => Promise<unknown> },
) {
  const paths = pathsOf(server, project)
  const state = await instant.before(paths)
  await deploy()
  await until(() => instant.isReached(paths, state))
  await server.kill()
}

/** Waits until no release is being checked, and returns the releases, the newest first. */
export const waitUntilSettled = (user: TestUser, { id }: Project): Promise<Release[]> =>
  until(async () => {
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    return items.every(({ state }) => state !== 'checking') && items
  })

/** Visits a page of a site until it has this text. Until then every visit has the previous one. */
export const untilServed = (
  { sitesPort }: Server,
  { key }: Project,
  {
    path = '/',
    text,
    previous,
    title,
  }: Record<'text' | 'previous' | 'title', string> & {
    path?: string
  },
) =>
  until(async () => {
    const { status, body } = await sitePage(sitesPort, `${key}.localhost`, path)
    if (status === 200 && body.includes(text)) return true
    expect({ status, title, hasPrevious: body.includes(previous) }).toEqual({
      status: 200,
      title,
      hasPrevious: true,
    })
    return false
  })

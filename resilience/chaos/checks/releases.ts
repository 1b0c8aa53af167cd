import { sitePage } from '../../../apps/server/src/testing/site-page.ts'
import type { Journal, ProjectEntry } from '../load/journal.ts'
import type { Product } from '../product/product.ts'
import { violationsOf } from './violation.ts'

type Row = {
  id: string
  number: number
  state: string
  failure: string | null
  isServed: boolean
  power: string
}

const releasesOf = `
  select releases.id, number, releases.state, releases.failure, projects.power,
    projects.artifact is not distinct from releases.artifact as "isServed"
  from projects left join releases on project_id = projects.id
  where projects.id = $1 and projects.state not in ('deleting', 'deleted')`

/** The newest releases exist; older ones may be removed. */
const storedReleases = 10

const newestOf = (numbers: readonly number[]) => Math.max(0, ...numbers)

/**
 * The text that a project's visitors should see; undefined if the project is stopped, or the
 * journal does not have the text.
 */
const textOf = ({ releases }: ProjectEntry, live: Row | undefined) =>
  live?.power === 'running' ? releases.find(({ id }) => id === live.id)?.text : undefined

async function checkProject(
  { database: { pool }, sitesPort }: Product,
  project: ProjectEntry,
): Promise<{ descriptions: string[]; rows: Row[] }> {
  const { id, key, releases } = project
  const joined = await pool.query<Row>(releasesOf, [id])
  // A project without releases is one row without a number; a deleted project is no row.
  const rows = joined.rows.filter(({ number }) => number !== null)
  if (joined.rows.length === 0) return { descriptions: [], rows }
  const newest = newestOf(rows.map(({ number }) => number))
  const descriptions = releases.flatMap((release) => {
    const row = rows.find((each) => each.id === release.id)
    const name = `release ${release.number} of ${key}`
    if (!row) return release.number > newest - storedReleases ? [`${name} is gone`] : []
    const isLost = row.state === 'failed' && row.failure !== 'overtaken'
    return isLost ? [`${name} failed: ${row.failure}`] : []
  })
  const succeeded = rows.filter(({ state }) => state !== 'failed')
  const [live, ...others] = rows.filter(({ state }) => state === 'live')
  if (others.length > 0) descriptions.push(`${key} has ${others.length + 1} live releases`)
  if ((live?.number ?? 0) !== newestOf(succeeded.map(({ number }) => number)))
    descriptions.push(`the live release of ${key} is ${live?.number}, not its newest`)
  if (live?.isServed === false)
    descriptions.push(`${key} does not serve its live release ${live.number}`)
  const text = textOf(project, live)
  const page =
    text === undefined
      ? undefined
      : await sitePage(sitesPort, `${key}.localhost`).catch(() => ({ body: '' }))
  if (page?.body !== text)
    descriptions.push(`${key} shows "${page?.body.slice(0, 80)}", not "${text}"`)
  return { descriptions, rows }
}

/** Every acknowledged release has become live or was overtaken, and visitors see the newest. */
export async function checkReleases(product: Product, { users }: Journal) {
  const projects = users.flatMap((user) => user.projects)
  const descriptions: string[] = []
  const rows: Row[] = []
  for (const project of projects) {
    const checked = await checkProject(product, project)
    descriptions.push(...checked.descriptions)
    rows.push(...checked.rows)
  }
  const countOf = (state: string) => rows.filter((row) => row.state === state).length
  return {
    acknowledged: projects.reduce((sum, { releases }) => sum + releases.length, 0),
    live: countOf('live'),
    failed: countOf('failed'),
    violations: violationsOf('acknowledged writes lost', descriptions),
  }
}

import { describe, expect, it } from 'vitest'
import { paths } from '../apps/console/src/paths.ts'
import { album } from '../e2e/pictures/album.ts'

/** Pages that redirect at once. */
const redirects = ['/']

/** The patterns of all routes, such as `/teams/view/$teamId`. */
const routes = () =>
  Object.values(paths).flatMap((path) => ('pattern' in path ? [path.pattern] : []))

const user = { email: 'user@example.com' }
const site = '/projects/view/key'
const example = {
  users: {
    member: user,
    payer: user,
    withManyProjects: user,
    withoutData: user,
    unverified: user,
    host: user,
    shipper: user,
  },
  keyOf: () => 'key',
  hosting: {
    manyReleases: site,
    checking: site,
    failed: site,
    empty: site,
    stopped: site,
    suspended: site,
    domains: { pending: `${site}/domains`, working: `${site}/domains`, failed: `${site}/domains` },
  },
  images: { live: site, empty: site, team: '/teams/view/id' },
  ticketIdOf: () => 'id',
  teamIds: { own: 'id', joined: 'id' },
  invoiceIds: { paid: 'id', failed: 'id', fresh: 'id', waiting: 'id' },
  emailPaths: { receipt: { en: '/mailbox/id', tr: '/mailbox/id' } },
  emptyTeamId: 'id',
}
const chapters = album(example, 'http://localhost')
const pictures = chapters.flatMap((chapter) => chapter.pictures)

/** @param {string} route */
const pattern = (route) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}(\\?.*)?$`)

describe('npm run pictures', () => {
  it('has a picture of every route of the console', () => {
    const shown = pictures.flatMap(({ path }) => path ?? [])
    const table = routes().filter((route) => !redirects.includes(route))
    expect(table.length).toBeGreaterThan(20)
    const missing = table.filter((route) => !shown.some((path) => pattern(route).test(path)))
    expect(missing).toEqual([])
  })

  it('gives each picture a unique name', () => {
    const names = pictures.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

import type { UserId } from '@slipway/contract/account'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'

const unsafeValue = 'a b/ç?x=1#y$z%2F..'

const links = Object.entries(paths) as [string, { (value: string): string; pattern?: string }][]

/** The route of a link: its own pattern, or that of the screen with the part that it leads to. */
const routeOf = ([name, { pattern }]: (typeof links)[number]) =>
  pattern ?? { inviteTo: paths.team.pattern }[name] ?? ''
const cases = links.map((link) => ({
  name: link[0],
  address: link[1](unsafeValue),
  route: routeOf(link),
}))

function leafOf(href: string) {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [href] }))
  const match = router.matchRoutes(router.latestLocation).at(-1)
  return { id: match?.routeId, path: match?.fullPath, params: Object.values(match?.params ?? {}) }
}

describe('paths', () => {
  it('accepts only the id of its own resource', () => {
    const teamId = 'team' as TeamId
    expect(paths.team(teamId)).toBe('/teams/view/team')
    // @ts-expect-error A ticket's page takes a ticket's id.
    paths.ticket(teamId)
    // @ts-expect-error An invoice's page takes an invoice's id.
    paths.invoice(teamId)
    // @ts-expect-error A project's page takes its key.
    paths.project('project' as ProjectId)
    // @ts-expect-error A team's page takes its id.
    paths.team('shop-x7k2p1' as ProjectKey)
    // @ts-expect-error Nor does it take any text.
    paths.team('team')
    // @ts-expect-error The invitation form is on a team's page.
    paths.inviteTo('ada' as UserId)
  })

  it.each(cases)('$name leads to its route', ({ address, route }) => {
    expect(leafOf(address).path).toBe(route)
  })

  it.each(cases.filter(({ route }) => route !== '/'))(
    '$name also ends in a slash',
    ({ address, route }) => {
      expect(leafOf(address.replace(/(?=#|$)/, '/')).path).toBe(route)
    },
  )

  it.each(cases.filter(({ route }) => route.includes('$')))(
    '$name escapes its parameter',
    ({ address }) => {
      expect(leafOf(address).params).toEqual([unsafeValue])
    },
  )

  it('has no route for an unknown URL', () => {
    expect(leafOf('/nowhere').id).toBe('__root__')
  })
})

import { getProfile } from '@slipway/contract/account'
import type { Endpoint } from '@slipway/contract/endpoint'
import { listProjects, viewProject } from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { listTickets, viewTicket } from '@slipway/contract/support'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import type { ScreenModules } from './screens.ts'

/** What a layout, or the screen at a path, asks for before it shows anything. */
const callsOfLayouts: Record<string, Endpoint[]> = {
  './shell/app.layout.tsx': [getProfile, listRegions],
  './shell/teams.layout.tsx': [listTeams],
}
const callsOfScreens: Record<string, Endpoint[]> = {
  '/projects': [listProjects],
  '/projects/view/$key': [viewProject],
  '/teams': [listTeams, listInvitations],
  '/teams/view/$id': [viewTeam],
  '/teams/invitations': [listInvitations],
  '/support/tickets': [listTickets],
  '/support/tickets/view/$id': [viewTicket],
}

/**
 * The paths, below the API's base, of the calls that a screen begins with; a parameter of the screen's
 * path stands there as `$1`. The page makes them before the program has come: `src/api/early-answers.ts`.
 */
export const earlyCallsOf = ({ path, modules }: ScreenModules) =>
  [
    ...modules.flatMap((module) => callsOfLayouts[module] ?? []),
    ...(callsOfScreens[path] ?? []),
  ].map((endpoint) => endpoint.path.replace(/:\w+/, '$1'))

import type { TeamId } from '@slipway/contract/teams'
import { getLocale } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  latestInvoicesQuery,
  profileQuery,
  projectsQuery,
  teamsQuery,
  ticketsQuery,
} from '../api/queries.ts'
import { useLogOut } from '../shell/session/log-out.ts'
import { paletteActions } from './palette-actions.ts'
import type { PaletteItem } from './palette-item.ts'
import { invoiceItem, projectItem, teamItem, ticketItem } from './palette-resources.tsx'
import { paletteScreens } from './palette-screens.ts'

/** All items of the palette: pages, actions, and the resources that have loaded. */
export function usePaletteItems() {
  const projects = useQuery(projectsQuery)
  const teams = useQuery(teamsQuery)
  const tickets = useQuery(ticketsQuery)
  const invoices = useQuery(latestInvoicesQuery)
  const { data: profile } = useQuery(profileQuery)
  const logOut = useLogOut()
  const locale = getLocale()

  const resources = useMemo((): PaletteItem[] => {
    // The items contain translated texts.
    void locale
    const loadedTeams = teams.data ?? []
    const teamOf = (id: TeamId) => loadedTeams.find((team) => team.id === id)
    return [
      ...(projects.data ?? []).map((project) => projectItem(project, teamOf(project.teamId))),
      ...loadedTeams.map(teamItem),
      ...(tickets.data ?? []).map(ticketItem),
      ...(invoices.data ?? []).map(invoiceItem),
    ]
  }, [projects.data, teams.data, tickets.data, invoices.data, locale])

  const all = [projects, teams, tickets, invoices]
  return {
    pages: paletteScreens('page'),
    actions: paletteActions({ teams: teams.data ?? [], profile, logOut }),
    resources,
    isLoading: all.some(({ isPending }) => isPending),
    hasFailed: all.some(({ isError, data }) => isError && data === undefined),
  }
}

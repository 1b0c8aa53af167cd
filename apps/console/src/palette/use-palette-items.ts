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

  const projectItems = useMemo((): PaletteItem[] => {
    // The items contain translated texts.
    void locale
    const teamOf = (id: TeamId) => teams.data?.find((team) => team.id === id)
    return (projects.data ?? [])
      .toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt))
      .map((project) => projectItem(project, teamOf(project.teamId)))
  }, [projects.data, teams.data, locale])

  const resources = useMemo((): PaletteItem[] => {
    void locale
    return [
      ...projectItems,
      ...(teams.data ?? []).map(teamItem),
      ...(tickets.data ?? []).map(ticketItem),
      ...(invoices.data ?? []).map(invoiceItem),
    ]
  }, [projectItems, teams.data, tickets.data, invoices.data, locale])

  const all = [projects, teams, tickets, invoices]
  return {
    pages: paletteScreens('page'),
    actions: paletteActions({ teams: teams.data ?? [], profile, logOut }),
    projects: projectItems,
    resources,
    isLoading: all.some(({ isPending }) => isPending),
    hasFailed: all.some(({ isError, data }) => isError && data === undefined),
  }
}

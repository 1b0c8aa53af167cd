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
import { palettePages } from './palette-pages.ts'
import { invoiceItem, projectItem, teamItem, ticketItem } from './palette-things.tsx'

/** Everything that can be found: what is known already at once, the rest when it is there. */
export function usePaletteItems() {
  const projects = useQuery(projectsQuery)
  const teams = useQuery(teamsQuery)
  const tickets = useQuery(ticketsQuery)
  const invoices = useQuery(latestInvoicesQuery)
  const { data: profile } = useQuery(profileQuery)
  const logOut = useLogOut()
  const locale = getLocale()

  const things = useMemo((): PaletteItem[] => {
    // Its texts are in the language that holds.
    void locale
    const held = teams.data ?? []
    const teamOf = (id: string) => held.find((team) => team.id === id)
    return [
      ...(projects.data ?? []).map((project) => projectItem(project, teamOf(project.teamId))),
      ...held.map(teamItem),
      ...(tickets.data ?? []).map(ticketItem),
      ...(invoices.data ?? []).map(invoiceItem),
    ]
  }, [projects.data, teams.data, tickets.data, invoices.data, locale])

  const all = [projects, teams, tickets, invoices]
  return {
    pages: palettePages(),
    actions: paletteActions({ teams: teams.data ?? [], profile, logOut }),
    things,
    isLoading: all.some(({ isPending }) => isPending),
    hasFailed: all.some(({ isError, data }) => isError && data === undefined),
  }
}

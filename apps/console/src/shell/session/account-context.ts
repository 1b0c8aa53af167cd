import type { UserProfile } from '@slipway/contract/account'
import type { Region } from '@slipway/contract/regions'
import type { Team } from '@slipway/contract/teams'
import { createContext, useContext } from 'react'

export const AccountContext = createContext<{ profile: UserProfile; regions: Region[] } | null>(
  null,
)
export const TeamsContext = createContext<Team[] | null>(null)

function useAccount() {
  const account = useContext(AccountContext)
  if (!account) throw new Error('Only the pages inside the app layout have an account')
  return account
}

/** The signed-in user; loaded before any page renders. */
export const useProfile = () => useAccount().profile

/** The regions a project can be created in; loaded before any page renders. */
export const useRegions = () => useAccount().regions

/** The user's teams; loaded before the pages of the project and team areas render. */
export function useTeams() {
  const teams = useContext(TeamsContext)
  if (!teams) throw new Error('Only the pages inside the teams layout have the teams')
  return teams
}

import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { endSession } from '../../api/client.ts'
import { useLiveUpdates } from '../../api/live-updates.ts'
import { profileQuery, regionsQuery } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { onSessionChange, sessionToken } from '../../api/session.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { ProgressAnnouncer } from '../../forms/progress-announcer.tsx'
import { useRefetchInLanguage } from '../language/refetch-in-language.ts'
import { restoreScroll } from '../navigation/restore-scroll.ts'
import { useLoadingTitle } from '../page/loading-title.ts'
import { mainId } from '../page/main-id.ts'
import { PageSkeleton } from '../page/page-skeleton.tsx'
import { QueryView } from '../page/query-view.tsx'
import { AccountContext } from '../session/account-context.ts'
import { usePageHasLoaded } from './page-has-loaded.ts'
import { ServiceLinks } from './service-links.tsx'
import { TopNavigation } from './top-navigation.tsx'

/** Follows the other tabs: signs out with them, and reloads when one signs in as another user. */
function useSessionOfAllTabs() {
  useEffect(() => {
    let token = sessionToken()
    const unsubscribe = onSessionChange(() => {
      if (sessionToken() === token) return
      token = sessionToken()
      if (token) location.reload()
      else endSession()
    })
    return () => {
      unsubscribe()
      queryClient.clear()
    }
  }, [])
}

/** The profile and the regions as one query, named after the first part that is not loaded. */
function useAccountQuery() {
  const profile = useQuery(profileQuery)
  const regions = useQuery(regionsQuery)
  const isProfileLoaded = profile.data !== undefined
  const { error, failureReason } = isProfileLoaded ? regions : profile
  return {
    part: isProfileLoaded ? 'regions' : 'profile',
    item: isProfileLoaded ? m.shell_item_regions() : m.shell_item_account(),
    data: profile.data && regions.data && { profile: profile.data, regions: regions.data },
    error,
    failureReason,
    isFetching: profile.isFetching || regions.isFetching,
    refetch: () => Promise.all([profile.refetch(), regions.refetch()]),
  }
}

function App({ children }: { children: ReactNode }) {
  useSessionOfAllTabs()
  useRefetchInLanguage()
  useEffect(restoreScroll, [])
  const account = useAccountQuery()
  useLoadingTitle(account.item, account)
  return (
    <>
      <TopNavigation profile={account.data?.profile} />
      <main
        id={mainId}
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 sm:px-6 sm:py-8"
      >
        <QueryView
          key={account.part}
          page
          query={account}
          item={account.item}
          loading={<PageSkeleton />}
        >
          {(value) => (
            <AccountContext value={value}>
              <LiveUpdates />
              {children}
            </AccountContext>
          )}
        </QueryView>
      </main>
      <Footer profile={account.data?.profile} />
    </>
  )
}

/** Its links appear below the loaded page, so that none of them moves. */
const Footer = ({ profile }: { profile: UserProfile | undefined }) => (
  <footer className="control-height mx-auto w-full max-w-6xl px-4 *:-mx-2 sm:px-6 sm:*:justify-start pointer-fine:min-h-14">
    {usePageHasLoaded(profile) && <ServiceLinks />}
  </footer>
)

/** Mounted once the account is loaded, as the socket is for verified users only. */
function LiveUpdates() {
  useLiveUpdates()
  return null
}

export const AppLayout = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <App>{children}</App>
    <LeaveGuard />
    <ProgressAnnouncer />
  </QueryClientProvider>
)

export const Page = () => (
  <AppLayout>
    <Outlet />
  </AppLayout>
)

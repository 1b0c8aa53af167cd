import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { invitationsQuery, unreadTicketsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ColorModeMenu } from '../color-mode/color-mode-menu.tsx'
import { useAlertFavicon } from '../connection/alert-favicon.ts'
import { ConnectionIndicator } from '../connection/connection-indicator.tsx'
import { StaleDataBar } from '../connection/stale-data-bar.tsx'
import { LanguageMenu } from '../language/language-menu.tsx'
import { useLocale } from '../language/locale.ts'
import { type Area, areaOf } from '../navigation/areas.ts'
import { useShortcuts } from '../shortcuts/use-shortcuts.ts'
import { Toaster } from '../toasts/toaster.tsx'
import { AreaBadge } from './area-badge.tsx'
import { Brand } from './brand.tsx'
import { areaLinkClass, NavigationFrame, navigationClass } from './navigation-frame.tsx'
import { Overlays, preloadOverlays } from './overlays.tsx'
import { usePageHasLoaded } from './page-has-loaded.ts'
import { useScreensPrefetched } from './prefetch-screens.ts'
import { SearchButton } from './search-button.tsx'
import { UserMenu } from './user-menu.tsx'

// The page shows its own failures and offers a retry; the badges do not request again.
const badgeOptions = { retryOnMount: false }

function InvitationsBadge() {
  const { data } = useQuery({
    ...invitationsQuery,
    ...badgeOptions,
    select: ({ length }) => length,
  })
  return <AreaBadge count={data} text={m.shell_invitations_waiting} />
}

function RepliesBadge() {
  const { data } = useQuery({ ...unreadTicketsQuery, ...badgeOptions })
  return <AreaBadge count={data} text={m.shell_replies_waiting} />
}

const badges: Record<string, ComponentType> = {
  [paths.teams()]: InvitationsBadge,
  [paths.tickets()]: RepliesBadge,
}

export function TopNavigation({ profile }: { profile: UserProfile | undefined }) {
  useLocale()
  const hasLoaded = usePageHasLoaded(profile)
  useScreensPrefetched(hasLoaded)
  useShortcuts()
  useAlertFavicon()
  return (
    <header className={navigationClass}>
      <NavigationFrame
        brand={<Brand />}
        link={(area) => <AreaLink area={area} loadsBadge={hasLoaded} />}
      >
        {/* First, because the length of its label changes: items on its right stay in place. */}
        <ConnectionIndicator />
        <SearchButton preload={preloadOverlays} />
        <LanguageMenu />
        <ColorModeMenu />
        <UserMenu profile={profile} />
      </NavigationFrame>
      <StaleDataBar />
      <Toaster />
      <Overlays />
    </header>
  )
}

function AreaLink({
  area: { to, basePath, name },
  loadsBadge,
}: {
  area: Area
  /** False while the page loads, whose requests come first. */
  loadsBadge: boolean
}) {
  const current = areaOf(useLocation().pathname)?.basePath === basePath
  const Badge = badges[to]
  return (
    <Link to={to} aria-current={current ? 'page' : undefined} className={areaLinkClass}>
      {name()}
      {loadsBadge && Badge && <Badge />}
    </Link>
  )
}

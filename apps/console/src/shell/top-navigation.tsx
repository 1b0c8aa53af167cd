import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { invitationsQuery, unreadTicketsQuery } from '../api/queries.ts'
import { paths } from '../paths.ts'
import { AreaBadge } from './area-badge.tsx'
import { Brand } from './brand.tsx'
import { ColorModeMenu } from './color-mode-menu.tsx'
import { ConnectionIndicator } from './connection-indicator.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { useLocale } from './locale.ts'
import { Toaster } from './toaster.tsx'
import { UserMenu } from './user-menu.tsx'

type Area = {
  to: string
  /** The addresses where it is the current one. */
  under: string
  name: () => string
  /** What waits there. */
  Badge?: ComponentType
}

const areas: Area[] = [
  { to: paths.projects(), under: '/projects', name: () => m.shell_projects() },
  { to: paths.teams(), under: '/teams', name: () => m.shell_teams(), Badge: InvitationsBadge },
  { to: paths.tickets(), under: '/support', name: () => m.shell_support(), Badge: RepliesBadge },
  { to: paths.billing(), under: '/account/billing', name: () => m.shell_billing() },
]

function InvitationsBadge() {
  const { data } = useQuery({ ...invitationsQuery, select: ({ length }) => length })
  return <AreaBadge count={data} text={m.shell_invitations_waiting} />
}

function RepliesBadge() {
  const { data } = useQuery(unreadTicketsQuery)
  return <AreaBadge count={data} text={m.shell_replies_waiting} />
}

/** True once the page has what it asked for: what stands around it must not come in its way. */
function usePageHasLoaded(profile: UserProfile | undefined) {
  const [loaded, setLoaded] = useState(false)
  const isIdle = useIsFetching() === 0
  if (!loaded && isIdle && profile) setLoaded(true)
  return loaded
}

/** The areas and the menus, and the toasts below them. On a phone the areas are a row of their own. */
export function TopNavigation({ profile }: { profile: UserProfile | undefined }) {
  useLocale()
  const withBadges = usePageHasLoaded(profile)
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 px-4 sm:h-14 sm:flex-nowrap sm:px-6">
        <div className="flex h-14 items-center">
          <Brand />
        </div>
        <nav
          aria-label={m.shell_navigation()}
          className="order-last -mx-2 w-full sm:order-none sm:mx-0 sm:w-auto"
        >
          <ul className="flex flex-wrap sm:flex-nowrap sm:gap-1">
            {areas.map((area) => (
              <li key={area.to}>
                <AreaLink area={area} withBadge={withBadges} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="-mr-3 ml-auto flex items-center sm:-mr-2 sm:gap-1">
          <ConnectionIndicator />
          <LanguageMenu />
          <ColorModeMenu />
          <UserMenu profile={profile} />
        </div>
      </div>
      <Toaster />
    </header>
  )
}

function AreaLink({ area, withBadge }: { area: Area; withBadge: boolean }) {
  const { to, under, name, Badge } = area
  const current = useLocation().pathname.startsWith(under)
  return (
    <Link
      to={to}
      aria-current={current ? 'page' : undefined}
      className="relative inline-flex h-11 items-center border-b-2 border-transparent px-2 text-muted transition-colors hover:text-fg aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-fg sm:h-14"
    >
      {name()}
      {withBadge && Badge && <Badge />}
    </Link>
  )
}

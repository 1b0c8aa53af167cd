import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { Link, useLocation } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { Brand } from './brand.tsx'
import { ColorModeMenu } from './color-mode-menu.tsx'
import { ConnectionIndicator } from './connection-indicator.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { useLocale } from './locale.ts'
import { Toaster } from './toaster.tsx'
import { UserMenu } from './user-menu.tsx'

/** Each area with the link to it, and the addresses where it is the current one. */
const areas = [
  { to: paths.projects(), under: '/projects', name: () => m.shell_projects() },
  { to: paths.teams(), under: '/teams', name: () => m.shell_teams() },
  { to: paths.tickets(), under: '/support', name: () => m.shell_support() },
  { to: paths.billing(), under: '/account/billing', name: () => m.shell_billing() },
]

/** The areas and the menus, and the toasts below them. On a phone the areas are a row of their own. */
export function TopNavigation({ profile }: { profile: UserProfile | undefined }) {
  useLocale()
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
                <AreaLink {...area} />
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

function AreaLink({ to, under, name }: (typeof areas)[number]) {
  const current = useLocation().pathname.startsWith(under)
  return (
    <Link
      to={to}
      aria-current={current ? 'page' : undefined}
      className="inline-flex h-11 items-center border-b-2 border-transparent px-2 text-muted transition-colors hover:text-fg aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-fg sm:h-14"
    >
      {name()}
    </Link>
  )
}

import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import User from 'lucide-react/icons/user'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { Menu, type MenuEntry } from '../../ui/menu/menu.tsx'
import { useLogOut } from '../session/log-out.ts'
import { openOverlay } from '../shortcuts/open-overlay.ts'

/** A device with a touch screen only has no keyboard for shortcuts. */
const hasKeys = () => matchMedia('(any-pointer: fine)').matches

/** The first letters of the first and the last name. */
function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return ([...first][0] ?? '') + ([...last][0] ?? '')
}

/**
 * The icon of the menu: the user's initials, which CSS prints, as the name follows in the menu. It
 * takes no pointer: one that the profile replaces between press and release would lose the click.
 */
const initialsIcon = (name: string) =>
  function Initials() {
    return (
      <span
        aria-hidden
        data-initials={initialsOf(name)}
        className="pointer-events-none inline-flex size-7 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase before:content-[attr(data-initials)]"
      />
    )
  }

export function UserMenu({ profile }: { profile: UserProfile | undefined }) {
  const logOut = useLogOut()
  const name = profile?.name ?? ''
  const icon = useMemo(() => initialsIcon(name), [name])
  const shortcuts: MenuEntry = {
    kind: 'action',
    label: m.shortcuts_title(),
    icon: Keyboard,
    onSelect: () => openOverlay('shortcuts'),
  }
  return (
    <Menu
      label={m.shell_user_menu()}
      icon={icon}
      heading={
        profile && (
          <>
            <div className="font-medium wrap-anywhere">{profile.name}</div>
            <div className="truncate text-muted" title={profile.email}>
              {profile.email}
            </div>
          </>
        )
      }
      entries={[
        {
          kind: 'link',
          label: m.shell_account(),
          icon: User,
          link: <Link to={paths.profile()} />,
        },
        ...(hasKeys() ? [shortcuts] : []),
        { kind: 'action', label: m.shell_logout(), icon: LogOut, onSelect: logOut },
      ]}
    />
  )
}

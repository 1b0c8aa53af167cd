import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import User from 'lucide-react/icons/user'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, type MenuEntry } from '../../ui/menu/menu.tsx'
import { useLogOut } from '../session/log-out.ts'
import { openOverlay } from '../shortcuts/open-overlay.ts'

/** False on a device that has only a touch screen: it has no keyboard for shortcuts. */
const mayHaveKeyboard = () => matchMedia('(any-pointer: fine)').matches

/**
 * The icon of the menu. `Avatar` ignores pointer events: if the profile replaced the icon between
 * pointerdown and pointerup, the click would be lost.
 */
const initialsIcon = (name: string) => () => <Avatar name={name} />

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
        ...(mayHaveKeyboard() ? [shortcuts] : []),
        { kind: 'action', label: m.shell_logout(), icon: LogOut, onSelect: logOut },
      ]}
    />
  )
}

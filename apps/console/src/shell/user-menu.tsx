import type { UserProfile } from '@slipway/contract/account'
import { logout } from '@slipway/contract/auth'
import { m } from '@slipway/phrases'
import { Link, useNavigate } from '@tanstack/react-router'
import CircleUser from 'lucide-react/icons/circle-user'
import LogOut from 'lucide-react/icons/log-out'
import User from 'lucide-react/icons/user'
import { call } from '../api/client.ts'
import { forgetSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuLink } from '../ui/menu.tsx'

export function UserMenu({ profile }: { profile: UserProfile | undefined }) {
  const navigate = useNavigate()

  function signOut() {
    // The device forgets the token whether or not the server could be told to.
    call(logout).catch(() => undefined)
    forgetSession()
    void navigate({ to: paths.login() })
  }

  return (
    <Menu trigger={<IconButton icon={CircleUser} label={m.shell_user_menu()} />}>
      {profile && (
        <MenuHeading>
          <div className="font-medium wrap-anywhere">{profile.name}</div>
          <div className="text-muted wrap-anywhere">{profile.email}</div>
        </MenuHeading>
      )}
      <MenuLink icon={User} link={<Link to={paths.profile()} />}>
        {m.shell_account()}
      </MenuLink>
      <MenuItem icon={LogOut} onSelect={signOut}>
        {m.shell_logout()}
      </MenuItem>
    </Menu>
  )
}

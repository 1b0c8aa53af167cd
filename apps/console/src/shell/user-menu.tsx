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
import { Menu } from '../ui/menu.tsx'

export function UserMenu({ profile }: { profile: UserProfile | undefined }) {
  const navigate = useNavigate()

  function signOut() {
    // The device forgets the token whether or not the server could be told to.
    call(logout).catch(() => undefined)
    forgetSession()
    void navigate({ to: paths.login() })
  }

  return (
    <Menu
      label={m.shell_user_menu()}
      icon={CircleUser}
      heading={
        profile && (
          <>
            <div className="font-medium wrap-anywhere">{profile.name}</div>
            <div className="text-muted wrap-anywhere">{profile.email}</div>
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
        { kind: 'action', label: m.shell_logout(), icon: LogOut, onSelect: signOut },
      ]}
    />
  )
}

import type { UserProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { Link, useNavigate } from '@tanstack/react-router'
import CircleUser from 'lucide-react/icons/circle-user'
import LogOut from 'lucide-react/icons/log-out'
import User from 'lucide-react/icons/user'
import { signOut } from '../api/sign-out.ts'
import { mayLeave } from '../forms/unsaved.ts'
import { paths } from '../paths.ts'
import { Menu } from '../ui/menu.tsx'

export function UserMenu({ profile }: { profile: UserProfile | undefined }) {
  const navigate = useNavigate()

  async function leave() {
    if (!(await mayLeave())) return
    // First: whoever finds the session gone would remember this page as the wanted one.
    void navigate({ to: paths.login() })
    signOut()
  }

  return (
    <Menu
      label={m.shell_user_menu()}
      icon={CircleUser}
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
        { kind: 'action', label: m.shell_logout(), icon: LogOut, onSelect: leave },
      ]}
    />
  )
}

import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/sign-out.ts'
import { confirmLeave } from '../../forms/unsaved.ts'
import { paths } from '../../paths.ts'

/** Logs out, after asking about what would be lost by it. */
export function useLogOut() {
  const navigate = useNavigate()
  return async () => {
    if (!(await confirmLeave())) return
    // First: whoever finds the session gone would remember this page as the wanted one.
    void navigate({ to: paths.login() })
    signOut()
  }
}

import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/sign-out.ts'
import { confirmLeave } from '../../forms/unsaved.ts'
import { paths } from '../../paths.ts'

/** Logs out; prompts first if there is unsaved input. */
export function useLogOut() {
  const navigate = useNavigate()
  return async () => {
    if (!(await confirmLeave())) return
    // Before signing out: a lost session would add this page as `next` to the login page.
    void navigate({ to: paths.login() })
    signOut()
  }
}

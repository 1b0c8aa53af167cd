import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../../../paths.ts'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { deleteExternalLogin, parseLoginRecord, storedExternalLogins } from './login-state.ts'

/**
 * Returns the `error` of an external login that returned to the login page. Removes it from the
 * URL and restores the `next` of that login.
 */
export function useExternalLoginError() {
  const urlValue = useSearchParam('error')
  const state = useSearchParam('state') ?? ''
  const next = useSearchParam('next')
  const [error] = useState(urlValue)
  const navigate = useNavigate()
  useEffect(() => {
    if (urlValue === undefined) return
    const record = parseLoginRecord(storedExternalLogins().get(state) ?? '')
    const search = { next: record?.next ?? next }
    // Only after navigating: React may run an effect twice.
    void navigate({ to: paths.login(), search, replace: true }).then(() =>
      deleteExternalLogin(state),
    )
  }, [urlValue, state, next, navigate])
  return error
}

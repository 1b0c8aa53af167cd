import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../../../paths.ts'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { forgetLogin, parseLogin, storedLogins } from './login-state.ts'

/**
 * The `error` that an outside login came back with to the login page. It leaves the address, for it says
 * nothing of the next visit; in its place comes back what was wanted when that login began.
 */
export function useReturnedError() {
  const inAddress = useSearchParam('error')
  const state = useSearchParam('state') ?? ''
  const next = useSearchParam('next')
  const [error] = useState(inAddress)
  const navigate = useNavigate()
  useEffect(() => {
    if (inAddress === undefined) return
    const begun = parseLogin(storedLogins().get(state) ?? '')
    const search = { next: begun?.next ?? next }
    // Forgotten only then: React may run an effect twice.
    void navigate({ to: paths.login(), search, replace: true }).then(() => forgetLogin(state))
  }, [inAddress, state, next, navigate])
  return error
}

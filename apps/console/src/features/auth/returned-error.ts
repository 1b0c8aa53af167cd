import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../../paths.ts'
import { useSearchParam } from '../../shell/location.ts'
import { forgetLoginState, parseLoginState, storedLoginState } from './login-state.ts'

/**
 * The `error` that an outside login came back with to the login page. It leaves the address, for it says
 * nothing of the next visit; in its place comes back what was wanted when the login began.
 */
export function useReturnedError() {
  const inAddress = useSearchParam('error')
  const [error] = useState(inAddress)
  const navigate = useNavigate()
  useEffect(() => {
    if (inAddress === undefined) return
    const begun = parseLoginState(storedLoginState() ?? '')
    // Forgotten only then: React may run an effect twice.
    void navigate({ to: paths.login(), search: { next: begun?.next }, replace: true }).then(
      forgetLoginState,
    )
  }, [inAddress, navigate])
  return error
}

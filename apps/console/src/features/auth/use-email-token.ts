import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSearchParam } from '../../shell/navigation/route-params.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    mailedToken?: string
  }
}

/**
 * The `token` of a mailed link. It is moved from the address to the entry's state in the history, where
 * neither a look over the shoulder nor a copied address takes it along, and a reload still finds it.
 */
export function useMailedToken() {
  const inAddress = useSearchParam('token')
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (inAddress !== undefined)
      void navigate({ to: pathname, state: { mailedToken: inAddress }, replace: true })
  }, [inAddress, pathname, navigate])
  return (inAddress ?? state.mailedToken ?? '').trim()
}

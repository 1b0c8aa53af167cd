import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSearchParam } from '../../shell/navigation/route-params.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    emailToken?: string
  }
}

/**
 * Returns the `token` of an emailed link. Moves it from the URL to the history state, where it
 * cannot be copied or seen and survives a reload.
 */
export function useEmailToken() {
  const urlValue = useSearchParam('token')
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (urlValue !== undefined)
      void navigate({ to: pathname, state: { emailToken: urlValue }, replace: true })
  }, [urlValue, pathname, navigate])
  return (urlValue ?? state.emailToken ?? '').trim()
}

import { useRef, useState } from 'react'
import { causesRedirect } from '../api/client.ts'
import { errorMessage } from '../api/error-message.ts'

/**
 * The action of a button: runs one at a time, and has the last failure as text until the next run
 * or `clear`. `run` resolves to whether it succeeded.
 */
export function useAction<Args extends unknown[]>(act: (...args: Args) => Promise<unknown>) {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const inFlight = useRef(false)

  async function run(...args: Args) {
    if (inFlight.current) return false
    inFlight.current = true
    setPending(true)
    setFailure(null)
    try {
      await act(...args)
      return true
    } catch (error) {
      if (!causesRedirect(error)) setFailure(error)
      return false
    } finally {
      inFlight.current = false
      setPending(false)
    }
  }

  return {
    run,
    pending,
    failure: failure === null ? null : errorMessage(failure),
    clear: () => setFailure(null),
  }
}

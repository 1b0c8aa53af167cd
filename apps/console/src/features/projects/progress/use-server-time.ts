import { second } from '@slipway/contract/limits'
import { useEffect, useState } from 'react'

/**
 * What time it is by the server's clock, in milliseconds, which ticks while somebody watches something run:
 * the browser's clock may be off. `asOf` is what the server said the time is.
 */
export function useServerTime(asOf: string, runningSince: number | null) {
  const [heard, setHeard] = useState({ asOf, ahead: Date.parse(asOf) - Date.now() })
  if (heard.asOf !== asOf) setHeard({ asOf, ahead: Date.parse(asOf) - Date.now() })
  const [, setTicks] = useState(0)
  const now = Date.now() + heard.ahead

  const isShort = runningSince !== null && now - runningSince < 10 * second
  useEffect(() => {
    if (runningSince === null) return
    // Tenths are shown for ten seconds.
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), isShort ? 100 : second)
    return () => clearInterval(timer)
  }, [runningSince, isShort])

  return now
}

import { second } from '@slipway/contract/limits'
import { useEffect, useState } from 'react'

/**
 * The server's time in milliseconds, because the browser's clock may be wrong. Rerenders at an
 * interval while `runningSince` is not null. `asOf` is the time in the server's last response.
 */
export function useServerTime(asOf: string, runningSince: number | null) {
  const [clock, setClock] = useState({ asOf, offset: Date.parse(asOf) - Date.now() })
  if (clock.asOf !== asOf) setClock({ asOf, offset: Date.parse(asOf) - Date.now() })
  const [, setTicks] = useState(0)
  const now = Date.now() + clock.offset

  const isShort = runningSince !== null && now - runningSince < 10 * second
  useEffect(() => {
    if (runningSince === null) return
    // The first ten seconds show tenths.
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), isShort ? 100 : second)
    return () => clearInterval(timer)
  }, [runningSince, isShort])

  return now
}

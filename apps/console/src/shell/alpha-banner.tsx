import { m } from '@slipway/phrases'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'

const key = 'openAlphaAgreed'

/** What everyone must read before relying on the service; agreed to once on a device. */
export function AlphaBanner() {
  const [agreed, setAgreed] = useState(() => localStorage.getItem(key) !== null)
  if (agreed) return null
  return (
    <aside
      aria-label={m.shell_alpha()}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-b border-line bg-warning-soft px-4 py-2"
    >
      <p className="min-w-0">
        <strong className="font-semibold text-warning">{m.shell_alpha()}</strong>{' '}
        {m.shell_alpha_notice()}
      </p>
      <Button
        onClick={() => {
          localStorage.setItem(key, new Date().toISOString())
          setAgreed(true)
        }}
      >
        {m.shell_alpha_agree()}
      </Button>
    </aside>
  )
}

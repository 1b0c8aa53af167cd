import { m } from '@slipway/phrases'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { agreedKey } from './alpha-agreement.ts'

/** True if the notice is accepted on this device. The build has no storage and prerenders it. */
const hasAgreed = () => typeof window !== 'undefined' && localStorage.getItem(agreedKey) !== null

export function AlphaBanner() {
  const [agreed, setAgreed] = useState(hasAgreed)
  if (agreed) return null
  return (
    <aside aria-label={m.shell_alpha()} className="border-b border-line bg-warning-soft">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2 sm:px-6">
        <p className="flex min-w-0 items-start gap-2">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
          {m.shell_alpha_notice()}
        </p>
        <span className="max-sm:pl-6">
          <Button
            onClick={() => {
              localStorage.setItem(agreedKey, new Date().toISOString())
              setAgreed(true)
            }}
          >
            {m.shell_alpha_agree()}
          </Button>
        </span>
      </div>
    </aside>
  )
}

import { m } from '@slipway/phrases'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { useLocale } from './locale.ts'
import { mainId } from './main-id.ts'

/** What stands in for a page that threw, or whose code could not be fetched; the browser's log has why. */
export function Crash({ reset }: ErrorComponentProps) {
  useLocale()
  const router = useRouter()
  return (
    <div
      id={mainId}
      tabIndex={-1}
      role="alert"
      className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-16 text-center"
    >
      <p className="text-base font-semibold">{m.shell_crash()}</p>
      <p className="text-muted">{m.shell_crash_hint()}</p>
      <Button
        onClick={() => {
          reset()
          void router.invalidate()
        }}
      >
        {m.shell_retry()}
      </Button>
    </div>
  )
}

import { m } from '@slipway/phrases'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { errorMessage } from '../api/error-message.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useLocale } from './locale.ts'
import { mainId } from './main-id.ts'

/** What stands in for a page that threw, or whose code could not be fetched. */
export function Crash({ error, reset }: ErrorComponentProps) {
  useLocale()
  const router = useRouter()
  return (
    <div id={mainId} tabIndex={-1} className="mx-auto w-full max-w-xl p-4 py-16">
      <ErrorState
        title={m.shell_crash()}
        action={
          <Button
            onClick={() => {
              reset()
              void router.invalidate()
            }}
          >
            {m.shell_retry()}
          </Button>
        }
      >
        {errorMessage(error)}
      </ErrorState>
    </div>
  )
}

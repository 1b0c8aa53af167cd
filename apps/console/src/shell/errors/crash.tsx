import { limits } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useIsOnline } from '../connection/online.ts'
import { useLocale } from '../language/locale.ts'
import { useDocumentTitle } from '../page/document-title.ts'
import { mainId } from '../page/main-id.ts'
import { reloadForgetful, reloadOutdatedBuild } from './outdated-build.ts'

function Failure({
  title,
  hint,
  pending,
  retry,
}: {
  title: string
  hint: string
  pending?: boolean
  retry: () => void
}) {
  useLocale()
  useDocumentTitle(title)
  return (
    <div
      id={mainId}
      tabIndex={-1}
      role="alert"
      className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-16 text-center"
    >
      <h1 tabIndex={-1} className="text-base font-semibold">
        {title}
      </h1>
      <p className="text-muted">{hint}</p>
      <Button pending={pending} onClick={retry}>
        {m.shell_retry()}
      </Button>
    </div>
  )
}

/** What stands in for a page that threw; the browser's log has why. */
export function Crash({ reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Failure
      title={m.shell_crash()}
      hint={m.shell_crash_hint()}
      retry={() => {
        reset()
        void router.invalidate()
      }}
    />
  )
}

const requestCount = () => performance.getEntriesByType('resource').length

/** What stands in for a page whose code could not be fetched: asks for it again when the network is back. */
export function LoadFailure({
  chunk,
}: {
  chunk: { preload: () => Promise<void> | undefined; get: () => unknown }
}) {
  const [pending, setPending] = useState(false)
  const isOnline = useIsOnline()

  async function retry() {
    setPending(true)
    const before = requestCount()
    await chunk.preload()
    // What failed without having been asked for fails for as long as this document lives. Where the browser
    // counts no further, the page is loaded anew for nothing: it opens all the same.
    if (!chunk.get() && requestCount() === before) await reloadForgetful().catch(() => undefined)
    setPending(false)
  }
  const askAgain = useEffectEvent(retry)
  useEffect(() => {
    let isHere = true
    // A browser says that the network is back before all of it is: what fails then is asked for again.
    async function onOnline() {
      for (const delay of [0, ...limits.socketReconnectDelays]) {
        await new Promise((resolve) => setTimeout(resolve, delay))
        if (!isHere || !navigator.onLine) return
        await askAgain()
      }
    }
    addEventListener('online', onOnline)
    return () => {
      isHere = false
      removeEventListener('online', onOnline)
    }
  }, [])
  useEffect(() => {
    // Without an answer it is no other build that keeps the code away.
    if (!pending) reloadOutdatedBuild().catch(() => undefined)
  }, [pending])

  return (
    <Failure
      title={isOnline ? m.shell_crash() : m.shell_offline()}
      hint={m.error_network()}
      pending={pending}
      retry={retry}
    />
  )
}

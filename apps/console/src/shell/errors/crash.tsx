import { limits } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useIsOnline } from '../connection/online.ts'
import { useLocale } from '../language/locale.ts'
import { useDocumentTitle } from '../page/document-title.ts'
import { mainId } from '../page/main-id.ts'
import { reloadAfterCachedFailure, reloadOutdatedBuild } from './outdated-build.ts'

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

/** Replaces a page that threw; the browser's console has the error. */
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

/** Replaces a page whose chunk could not be loaded; retries when the network is back. */
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
    // A failure without a request comes from the browser's cache, which keeps it for the life of
    // the document. If the browser's list of requests is full, the reload is needless but harmless.
    if (!chunk.get() && requestCount() === before)
      await reloadAfterCachedFailure().catch(() => undefined)
    setPending(false)
  }
  const retryFromEffect = useEffectEvent(retry)
  useEffect(() => {
    let isMounted = true
    // Browsers report `online` before requests succeed, so it retries several times.
    async function onOnline() {
      for (const delay of [0, ...limits.socketReconnectDelays]) {
        await new Promise((resolve) => setTimeout(resolve, delay))
        if (!isMounted || !navigator.onLine) return
        await retryFromEffect()
      }
    }
    addEventListener('online', onOnline)
    return () => {
      isMounted = false
      removeEventListener('online', onOnline)
    }
  }, [])
  useEffect(() => {
    // Without a response the network failed, not the build.
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

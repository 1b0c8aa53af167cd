import { type LogEntry, type LogSource, viewProjectLogs } from '@slipway/contract/logs'
import type { ProjectId } from '@slipway/contract/projects'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { followEvents } from '../../../api/event-stream.ts'

/** Lines of the first page, and of each older one. */
const pageSize = 500
/** The most lines on the screen. The oldest are removed while it follows new ones. */
const maxLines = 10_000
/** Lines that arrive in this time are shown together, in milliseconds. */
const batchWindow = 100

export type LogState = {
  entries: readonly LogEntry[]
  state: 'loading' | 'connected' | 'connecting'
  /** An error that a retry cannot solve, or too many open logs; null once it is connected. */
  failure: unknown
  /** Loads the lines before the oldest one; null when there are none, or too many are shown. */
  loadOlder: (() => Promise<void>) | null
}

/** The newest lines of a log and each new one. */
export function useLog(id: ProjectId, source: LogSource): LogState {
  const [entries, setEntries] = useState<readonly LogEntry[]>([])
  const [state, setState] = useState<LogState['state']>('loading')
  const [failure, setFailure] = useState<unknown>(null)
  const [hasOlder, setHasOlder] = useState(false)
  const waiting = useRef<LogEntry[]>([])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function show() {
      timer = undefined
      const arrived = waiting.current
      waiting.current = []
      setEntries((shown) => [...shown, ...arrived].slice(-maxLines))
    }
    const close = followEvents(
      viewProjectLogs,
      { params: { id }, query: { source, limit: pageSize } },
      {
        onEvents(events) {
          waiting.current.push(...events.map(({ data }) => data as LogEntry))
          timer ??= setTimeout(show, batchWindow)
        },
        onState(changed) {
          setState(changed)
          if (changed === 'connected') setFailure(null)
        },
        onFailure: setFailure,
      },
    )
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [id, source])

  const oldest = entries[0]?.position
  const hasLines = oldest !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first lines are loaded
  useEffect(() => {
    if (!hasLines) return
    const query = { source, before: oldest, limit: 1 }
    call(viewProjectLogs, { params: { id }, query }).then(
      ({ items }) => setHasOlder(items.length > 0),
      // A click on the button reports the error.
      () => setHasOlder(true),
    )
  }, [id, source, hasLines])

  const loadOlder = useCallback(async () => {
    const { items, before } = await call(viewProjectLogs, {
      params: { id },
      query: { source, before: oldest, limit: pageSize },
    })
    setHasOlder(before !== null)
    setEntries((shown) => (shown[0]?.position === oldest ? [...items, ...shown] : shown))
  }, [id, source, oldest])
  const mayLoad = hasOlder && hasLines && entries.length <= maxLines - pageSize
  return { entries, state, failure, loadOlder: mayLoad ? loadOlder : null }
}

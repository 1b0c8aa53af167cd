import { m } from '@slipway/phrases'
import { type ReactNode, useState } from 'react'
import { causesRedirect } from '../../api/client.ts'
import { errorMessage } from '../../api/error-message.ts'
import { isMissing } from '../../api/missing.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useIsOnline } from '../connection/online.ts'

type QueryLike<Data> = {
  data: Data | undefined
  error: unknown
  /** Why the last attempt failed, while others are made. */
  failureReason?: unknown
  refetch: () => unknown
  isFetching: boolean
}

type Props<Data> = {
  query: QueryLike<Data>
  /** What loads, as in "Encountered an error while loading {item}". */
  item: string
  /** A skeleton of the content's shape. */
  loading: ReactNode
  /** Shown for an empty list. */
  empty?: ReactNode
  /** Shown when the server does not find it. */
  missing?: ReactNode
  /** Stands for the whole page, which has no heading of its own before it has loaded. */
  page?: boolean
  children: (data: Data) => ReactNode
}

const isEmpty = (data: unknown) => Array.isArray(data) && data.length === 0

/**
 * Why there is nothing to show; null while that is not known. A failure stays while it is tried again by
 * itself, or the page would go to and fro. Without the network nobody waits for another attempt to be told.
 */
function useFailure({ data, error, failureReason }: QueryLike<unknown>, isOnline: boolean) {
  const [held, setHeld] = useState<unknown>(null)
  const latest = error ?? (isOnline ? null : failureReason) ?? null
  const next = data === undefined ? (latest ?? held) : null
  if (next !== held) setHeld(next)
  return next
}

/**
 * The states of what a page loads: loading, error, missing, empty, content. Content that could not be
 * refreshed stays; content that is gone does not.
 */
export function QueryView<Data>({
  query,
  item,
  loading,
  empty,
  missing,
  page,
  children,
}: Props<Data>) {
  const { data, error } = query
  const isOnline = useIsOnline()
  const failure = useFailure(query, isOnline)
  if (missing && (isMissing(error) || isMissing(failure))) return missing
  if (data !== undefined) return empty && isEmpty(data) ? empty : children(data)
  if (failure && !causesRedirect(failure))
    return (
      <ErrorState
        page={page}
        title={m.shell_loading_failed({ item })}
        action={
          <Button pending={query.isFetching} onClick={() => query.refetch()}>
            {m.shell_retry()}
          </Button>
        }
      >
        {isOnline ? errorMessage(failure) : m.shell_offline_waits()}
      </ErrorState>
    )
  return (
    <>
      <div role="status" className="sr-only">
        {page ? <h1>{m.shell_loading()}</h1> : m.shell_loading()}
      </div>
      {loading}
    </>
  )
}

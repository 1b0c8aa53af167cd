import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { Fragment, type ReactNode, useState } from 'react'
import { causesRedirect } from '../../api/client.ts'
import { errorMessage } from '../../api/error-message.ts'
import { isMissing } from '../../api/missing.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useIsOnline } from '../connection/online.ts'
import { ButtonLink } from '../navigation/link.tsx'
import { useScreenAbove } from './use-screen.ts'

type QueryLike<Data> = {
  data: Data | undefined
  error: unknown
  /** The error of the last attempt while the query retries. */
  failureReason?: unknown
  refetch: () => unknown
  isFetching: boolean
}

type Props<Data> = {
  query: QueryLike<Data>
  /** Names the data, as in "Encountered an error while loading {item}". */
  item: string
  /** A skeleton in the shape of the content. */
  loading: ReactNode
  /** Shown for an empty list. */
  empty?: ReactNode
  /** Shown for a 404. */
  missing?: ReactNode
  /** The button that leads back if the user may not see the data; to the page above by default. */
  back?: ReactNode
  /** Replaces the whole page, heading included. */
  page?: boolean
  /** A card around the view has the border. */
  inCard?: boolean
  children: (data: Data) => ReactNode
}

const isEmpty = (data: unknown) => Array.isArray(data) && data.length === 0

/**
 * The error of a query without data, or null. It stays during a retry, so that the page does not
 * flicker. Offline, the first failed attempt counts.
 */
function useFailure({ data, error, failureReason }: QueryLike<unknown>, isOnline: boolean) {
  const [previous, setPrevious] = useState<unknown>(null)
  const latest = error ?? (isOnline ? null : failureReason) ?? null
  const failure = data === undefined ? (latest ?? previous) : null
  if (failure !== previous) setPrevious(failure)
  return failure
}

/** True if the same request fails again: the user may not see the data, or it does not exist. */
const isFinal = (error: unknown) =>
  isMissing(error) || (error instanceof ApiError && error.code === 'forbidden')

/** Leads to the page above, or from the first page of an area to the support. */
function LinkBack() {
  const above = useScreenAbove()
  if (above) return <ButtonLink to={above.path}>{above.title()}</ButtonLink>
  return <ButtonLink to={paths.createTicket()}>{m.support_create()}</ButtonLink>
}

/**
 * Shows a query's state: loading, error, missing, empty or content. Content that could not be
 * refreshed stays; content of a deleted resource does not.
 */
export function QueryView<Data>({
  query,
  item,
  loading,
  empty,
  missing,
  back = <LinkBack />,
  page,
  inCard,
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
        inCard={inCard}
        title={m.shell_loading_failed({ item })}
        action={
          // A page that replaces the layout has nothing to lead back to.
          isFinal(failure) && !page ? (
            back
          ) : (
            <Button pending={query.isFetching} onClick={() => query.refetch()}>
              {m.shell_retry()}
            </Button>
          )
        }
      >
        {isOnline ? errorMessage(failure) : m.shell_offline_waits()}
      </ErrorState>
    )
  return (
    // Without the key React reuses the first element for the content, which counts as a shift.
    <Fragment key="loading">
      <div role="status" className="sr-only">
        {page ? <h1>{m.shell_loading()}</h1> : m.shell_loading()}
      </div>
      {loading}
    </Fragment>
  )
}

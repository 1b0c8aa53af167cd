import { ApiError } from '@slipway/contract/client'

/** True for the answer that there is no such thing, or none any more. */
export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

/**
 * What the parts of a page around its `QueryView` show, such as its title: as there, content that could
 * not be refreshed stays, and content that is gone does not.
 */
export const visibleData = <Data>({ data, error }: { data: Data | undefined; error: unknown }) =>
  isMissing(error) ? undefined : data

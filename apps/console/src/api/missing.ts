import { ApiError } from '@slipway/contract/client'

/** True for a 404: the resource never existed, was deleted, or is not visible to the user. */
export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

/**
 * The data for the parts of a page around its `QueryView`, such as its title. Stale data stays
 * after a failed refetch, but not after a 404.
 */
export const visibleData = <Data>({ data, error }: { data: Data | undefined; error: unknown }) =>
  isMissing(error) ? undefined : data

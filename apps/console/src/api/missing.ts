import { ApiError } from '@slipway/contract/client'

/** True for a 404: the resource does not exist, or not any more. */
export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

/**
 * The data for the parts of a page around its `QueryView`, such as its title. Data that could not
 * be refreshed stays; data of a deleted resource does not.
 */
export const visibleData = <Data>({ data, error }: { data: Data | undefined; error: unknown }) =>
  isMissing(error) ? undefined : data

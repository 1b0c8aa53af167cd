import { second } from '@slipway/contract/limits'

/** The timeout of one gateway call, in milliseconds: a user waits for the response. */
export const gatewayDeadline = 10 * second

export const deadline = () => AbortSignal.timeout(gatewayDeadline)

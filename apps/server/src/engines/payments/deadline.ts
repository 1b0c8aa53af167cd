import { second } from '@slipway/contract/limits'

/** How long a gateway may take for one call, in milliseconds: somebody waits for the answer. */
export const gatewayDeadline = 10 * second

/** The signal of one call of a gateway: aborts at its deadline. */
export const deadline = () => AbortSignal.timeout(gatewayDeadline)

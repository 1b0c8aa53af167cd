/** The command that logs a machine in. */
export const loginCommand = 'slipway login'

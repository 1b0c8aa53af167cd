/** What a user runs to log a machine in. */
export const loginCommand = 'slipway login'

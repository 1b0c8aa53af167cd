export const loginCommand = 'slipway login'

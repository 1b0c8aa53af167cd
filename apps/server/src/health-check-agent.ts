/**
 * The User-Agent of the hosting engine's checks and pictures of sites ends with this. Logs and
 * traffic omit them.
 */
export const healthCheckAgent = 'Slipway-Health-Check'

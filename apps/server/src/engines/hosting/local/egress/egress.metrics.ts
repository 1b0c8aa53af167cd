import { Counter } from 'prom-client'

/** The traffic of all sites with the internet, counted once a connection closes. */
export const egressBytes = new Counter({
  name: 'slipway_egress_bytes_total',
  help: 'Bytes that sites sent to the internet and received from it.',
  labelNames: ['direction'],
})

export const rejectedConnections = new Counter({
  name: 'slipway_egress_refusals_total',
  help: 'Connections of sites to addresses that are not on the internet.',
})

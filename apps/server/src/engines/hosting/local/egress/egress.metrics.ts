import { Counter } from 'prom-client'

/** What sites exchanged with the internet. By site: `Egress.use`. */
export const egressBytes = new Counter({
  name: 'slipway_egress_bytes_total',
  help: 'Bytes that sites sent to the internet and received from it.',
  labelNames: ['direction'],
})

export const egressRefusals = new Counter({
  name: 'slipway_egress_refusals_total',
  help: 'Connections of sites to addresses that are not on the internet.',
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Regions come from the configuration, so their ids are the operator's words, such as `eu`. */
export const region = z.object({ id: z.string(), name: z.string() })
export type Region = z.output<typeof region>

export const listRegions = endpoint('GET /common/regions', {
  summary: 'The regions a project can be created in',
  response: z.array(region),
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A region of the configuration. Its id is a label such as `eu`. */
export const region = z.object({
  id: z.string(),
  name: z.string(),
  /** The default URL of its sites, with `{key}` instead of the project's key. */
  siteUrl: z.string(),
})
export type Region = z.output<typeof region>

export const listRegions = endpoint('GET /common/regions', {
  summary: 'List the regions that a project can be created in',
  access: 'projects',
  response: z.array(region),
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A page about the service, for the footer. */
export const serviceLink = z.object({
  /** `documentation`, `status`, `terms` or `privacy`. */
  id: z.string(),
  /** In the caller's language. */
  name: z.string(),
  url: z.string(),
})
export type ServiceLink = z.output<typeof serviceLink>

export const listServiceLinks = endpoint('GET /common/links', {
  summary: 'List the pages about the service: its documentation, status, terms and privacy',
  access: 'public',
  response: z.array(serviceLink),
})

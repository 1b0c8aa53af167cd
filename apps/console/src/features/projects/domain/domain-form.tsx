import type { newProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import * as z from 'zod/mini'
import { asciiDomain, normalizeDomain } from './normalize-domain.ts'

/** Wraps a domain schema of the contract so that it validates the normalized domain. */
export const normalizedDomain = (domain: (typeof newProject)['shape']['domain']) =>
  z.pipe(
    z.transform((typed: string | null | undefined) => typed && normalizeDomain(typed)),
    domain,
  )

/** Suggests the ASCII form of a domain with non-ASCII letters; null for any other. */
export function domainAdvice(typed: string | null | undefined) {
  const domain = asciiDomain(typed ?? '')
  return domain && <span className="wrap-anywhere">{m.projects_domain_in_dns({ domain })}</span>
}

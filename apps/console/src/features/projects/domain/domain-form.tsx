import type { newProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import * as z from 'zod/mini'
import { asciiDomain, normalizeDomain } from './normalize-domain.ts'

/** Wraps a domain schema of the contract so that it validates the normalized domain. */
export const normalizedDomain = (domain: (typeof newProject)['shape']['domain']) =>
  z.pipe(
    z.transform((text: string | null | undefined) => text && normalizeDomain(text)),
    domain,
  )

/** Suggests the ASCII form of a domain with non-ASCII letters; null for any other. */
export function domainAdvice(text: string | null | undefined) {
  const domain = asciiDomain(text ?? '')
  return domain && <span className="wrap-anywhere">{m.projects_domain_in_dns({ domain })}</span>
}

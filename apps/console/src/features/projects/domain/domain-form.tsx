import type { newProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import * as z from 'zod/mini'
import { domainInDns, meantDomain } from './normalize-domain.ts'

/** A domain of the contract, for a form: checked as it was meant. */
export const meantAs = (domain: (typeof newProject)['shape']['domain']) =>
  z.pipe(
    z.transform((typed: string | null | undefined) => typed && meantDomain(typed)),
    domain,
  )

/** What to enter instead of a domain that was refused for its letters; null for any other. */
export function domainAdvice(typed: string | null | undefined) {
  const domain = domainInDns(typed ?? '')
  return domain && <span className="wrap-anywhere">{m.projects_domain_in_dns({ domain })}</span>
}

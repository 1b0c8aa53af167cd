/**
 * A domain is pending, and not served, until its ownership is proven. A proven domain that no
 * longer leads to the service has failed; it is served again once it leads there.
 *
 * In a separate file, so that the console's shared chunk has no other part of `domains.ts`.
 */
export const domainStates = ['pending', 'active', 'failed'] as const
export type DomainState = (typeof domainStates)[number]

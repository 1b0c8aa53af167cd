/**
 * A name is pending until its ownership is proven, and not served before. A proven name that stops
 * leading to the service has failed; it is served again as soon as it leads there.
 *
 * In a separate file, so that the console's shared chunk has no other part of `domains.ts`.
 */
export const domainStates = ['pending', 'active', 'failed'] as const
export type DomainState = (typeof domainStates)[number]

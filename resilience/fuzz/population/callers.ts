import type { Endpoint } from '@slipway/contract/endpoint'

/** Two members of each of two teams. */
export const memberNames = ['ada', 'alan', 'bea', 'bob'] as const

/** The senders of requests: members, and callers with few rights. */
export const callerNames = [
  ...memberNames,
  'operator',
  'unverified',
  'ended session',
  'forged token',
  'guest',
] as const
export type CallerName = (typeof callerNames)[number]

const teams = {
  ada: 'team a',
  alan: 'team a',
  bea: 'team b',
  bob: 'team b',
} as const satisfies Record<(typeof memberNames)[number], string>

/** The owner of a resource: the members of a team, or one user alone. */
export type Owner = CallerName | (typeof teams)[keyof typeof teams]

/** The owners whose resources the caller may see. */
export const ownersFor = (caller: CallerName): readonly Owner[] =>
  caller in teams ? [teams[caller as keyof typeof teams], caller] : [caller]

/** Cards, invoices, tickets and personal tokens belong to their user alone. */
const isPrivate = ({ path }: Endpoint) =>
  /\/(?:payment-method|invoice|ticket|personal-token|device)\//.test(path)

/** The owner of the resources that an endpoint creates or shows. */
export const ownerOf = (endpoint: Endpoint, caller: CallerName): Owner =>
  (isPrivate(endpoint) ? caller : ownersFor(caller)[0]) ?? caller

/** A text that only the data of its owner contains. */
export const markers: Partial<Record<Owner, string>> = {
  'team a': 'zqteamaqz',
  'team b': 'zqteambqz',
  ada: 'zqadaqz',
  alan: 'zqalanqz',
  bea: 'zqbeaqz',
  bob: 'zqbobqz',
  unverified: 'zqunaqz',
}

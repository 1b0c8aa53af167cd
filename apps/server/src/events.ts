import type { UserId } from '@slipway/contract/account'
import type { Event, EventOf } from '@slipway/contract/events'
import type { Context } from './context.ts'

/** The users who receive an event: those who may read the resource at that time. */
export type Audience<Kind extends Event['kind']> = {
  [K in Kind]: (ctx: Context, data: EventOf<K>['data']) => Promise<readonly UserId[]>
}

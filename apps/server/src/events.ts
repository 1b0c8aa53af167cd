import type { UserId } from '@slipway/contract/account'
import type { Event, EventOf } from '@slipway/contract/events'
import type { Context } from './context.ts'

/** Who hears of an event: exactly those who may read the thing at this moment. */
export type Audience<Kind extends Event['kind']> = {
  [K in Kind]: (ctx: Context, data: EventOf<K>['data']) => Promise<readonly UserId[]>
}
